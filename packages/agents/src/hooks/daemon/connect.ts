import { existsSync } from "node:fs";
import type { DaemonClient } from "./client.ts";
import { meetingPlace, trustedToken } from "./meeting-place.ts";

/** A connection to this user's daemon; undefined when there is none. What talks to it is loaded only when there is one. */
export async function connectIfThere(env: NodeJS.ProcessEnv): Promise<DaemonClient | undefined> {
  const place = meetingPlace(env);
  if (!existsSync(place.socket)) return undefined;
  const token = trustedToken(place);
  if (token === undefined) return undefined;
  const { DaemonClient } = await import("./client.ts");
  return await DaemonClient.open(place, token);
}
