import { existsSync, lstatSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { UsageError } from "@coppice/engine/usage-error";
import type { DaemonClient } from "./client.ts";

/** Where the daemon listens and where its token lies. */
export interface MeetingPlace {
  readonly directory: string;
  readonly socket: string;
  readonly tokenFile: string;
  /** For launchers, which have a shell and curl: where to post an event, what with, and which are worth posting. */
  readonly launcher: { readonly socket: string; readonly curlFile: string; readonly wholeEvents: string };
}

/** The place for this user; nobody else can enter its directory. */
export function meetingPlace(env: NodeJS.ProcessEnv): MeetingPlace {
  // Asked for on every event: `node:os` would take longer to load than all of this.
  const directory = env.XDG_RUNTIME_DIR
    ? join(env.XDG_RUNTIME_DIR, "coppice")
    : join(env.TMPDIR || "/tmp", `coppice-${process.getuid?.() ?? env.USERNAME}`);
  const inside = (name: string): string => join(directory, name);
  return {
    directory,
    socket: inside("hooks.sock"),
    tokenFile: inside("hooks.token"),
    launcher: { socket: inside("events.sock"), curlFile: inside("hooks.curl"), wholeEvents: inside("whole") },
  };
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
  const uid = process.getuid?.();
  if (uid !== undefined && stat.uid !== uid) return "belongs to another user";
  if ((stat.mode & 0o077) !== 0) return "is open to others";
  return uid === undefined || staysInPlace(resolve(directory), uid) ? undefined : "could be replaced by another user";
}

/** Whoever can rename a directory on the way can put another one in its place: only this user or root may. */
function staysInPlace(path: string, uid: number): boolean {
  const above = dirname(path);
  if (above === path) return true;
  const stat = statSync(above);
  const closed = (stat.mode & 0o022) === 0 || (stat.mode & 0o1000) !== 0;
  return (stat.uid === uid || stat.uid === 0) && closed && staysInPlace(above, uid);
}
