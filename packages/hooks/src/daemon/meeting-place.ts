import { existsSync, lstatSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "@coppice/engine/usage-error";
import type { DaemonClient } from "./client.ts";

/** Where the daemon listens and where its token lies. */
export interface MeetingPlace {
  readonly directory: string;
  readonly socket: string;
  readonly tokenFile: string;
}

/** The place for this user; nobody else can enter its directory. */
export function meetingPlace(env: NodeJS.ProcessEnv): MeetingPlace {
  // Asked for on every event: `node:os` would take longer to load than all of this.
  const directory = env.XDG_RUNTIME_DIR
    ? join(env.XDG_RUNTIME_DIR, "coppice")
    : join(env.TMPDIR || "/tmp", `coppice-${process.getuid?.() ?? env.USERNAME}`);
  return { directory, socket: join(directory, "hooks.sock"), tokenFile: join(directory, "hooks.token") };
}

/** Whether a daemon of this user seems to be running. */
export function daemonSeemsThere(place: MeetingPlace): boolean {
  return existsSync(place.socket);
}

/** A connection to this user's daemon; undefined when nobody answers. What talks to it is loaded only now. */
export async function connectToDaemon(place: MeetingPlace): Promise<DaemonClient | undefined> {
  const token = trustedToken(place);
  if (token === undefined) return undefined;
  const { DaemonClient } = await import("./client.ts");
  return await DaemonClient.open(place, token);
}

/** Makes the directory; throws {@link UsageError} when it is not this user's alone. */
export function makePrivate({ directory }: MeetingPlace): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const wrong = notPrivate(directory);
  if (wrong === undefined) return;
  throw new UsageError(`${directory} ${wrong}; it must be a directory of this user with mode 0700`);
}

/** The token of a daemon that is this user's; undefined when there is none or it cannot be trusted. */
export function trustedToken(place: MeetingPlace): string | undefined {
  try {
    return notPrivate(place.directory) === undefined ? readFileSync(place.tokenFile, "utf8") : undefined;
  } catch {
    return undefined;
  }
}

function notPrivate(directory: string): string | undefined {
  const stat = lstatSync(directory);
  if (!stat.isDirectory()) return "is not a directory";
  if (process.getuid !== undefined && stat.uid !== process.getuid()) return "belongs to another user";
  return (stat.mode & 0o077) === 0 ? undefined : "is open to others";
}
