import { existsSync } from "node:fs";
import type { DaemonClient } from "./client.ts";
import { meetingPlace, trustedToken } from "./meeting-place.ts";

/** Whether a daemon of this user seems to be running. */
export function daemonSeemsThere(env: NodeJS.ProcessEnv): boolean {
  return existsSync(meetingPlace(env).socket);
}

/** A connection to this user's daemon; undefined when nobody answers. What talks to it is loaded only now. */
export async function connectToDaemon(env: NodeJS.ProcessEnv): Promise<DaemonClient | undefined> {
  const place = meetingPlace(env);
  const token = trustedToken(place);
  if (token === undefined) return undefined;
  const { DaemonClient } = await import("./client.ts");
  return await DaemonClient.open(place, token);
}
