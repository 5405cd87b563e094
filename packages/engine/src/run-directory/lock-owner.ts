import { readFileSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { processPlace } from "../child-process/process-place.ts";
import { processStart } from "../child-process/process-table.ts";
import { isAnothers } from "../child-process/send-signal.ts";
import { type FileOrigin, isOriginal } from "./directory-identity.ts";

/** Who holds a lock, as its file says. Older versions wrote neither `place` nor where the file was. */
export interface LockOwner extends FileOrigin {
  readonly token: string;
  readonly pid: number;
  readonly pidStart: string;
  readonly host: string;
  readonly place?: string;
}

const LOOK_MS = 200;
/** A live owner has shown itself by then. */
const SAY_AFTER_MS = 2_500;

/** This process as the owner of a lock. */
export function ownerHere(): LockOwner {
  const place = processPlace();
  return {
    token: crypto.randomUUID(),
    pid: process.pid,
    pidStart: processStart(process.pid) ?? "",
    host: hostname(),
    ...(place === undefined ? {} : { place }),
  };
}

/** Nobody can own a lock that does not say whose it is. */
export function readOwner(path: string): LockOwner | undefined {
  try {
    const owner = JSON.parse(readFileSync(path, "utf8")) as LockOwner;
    const { token, pid, pidStart, host } = owner;
    const said = [typeof token, typeof pid, typeof pidStart, typeof host].join();
    return said === "string,number,string,string" ? owner : undefined;
  } catch {
    return undefined;
  }
}

export function describeOwner({ pid, host, place }: LockOwner): string {
  const elsewhere = host === hostname() && place !== processPlace() ? " (another container, or before a restart)" : "";
  return `pid ${pid} on ${host}${elsewhere}`;
}

/**
 * What can be seen from here at once: whether the owner's process lives, when its number means the same here; otherwise
 * only its heartbeat can tell. A copied lock is held by nobody, because its owner works in another directory.
 */
export function ownerAtOnce(path: string, owner: LockOwner): "alive" | "gone" | "unknown" {
  const here = processPlace();
  if (here === undefined || owner.place !== here) return "unknown";
  try {
    if (!isOriginal(path, owner)) return "gone";
  } catch {
    return "unknown";
  }
  const start = processStart(owner.pid);
  // Where processes of other users are hidden, theirs is there all the same.
  if (start === undefined) return isAnothers(owner.pid) ? "unknown" : "gone";
  if (owner.pidStart === "") return "unknown";
  return start === owner.pidStart ? "alive" : "gone";
}

/** How long each heartbeat has been watched without another one, in this process: nobody has to watch twice. */
const quietFor = new Map<string, number>();

/**
 * Whether an owner that cannot be looked up from here shows a sign of life: watches its heartbeat for `staleMs`. No clocks
 * are compared, only whether the lock changes while this process looks; time in which this process itself was stopped
 * does not count. `onWait` is called once, when it takes long.
 */
export async function heartBeats(path: string, staleMs: number, onWait: () => void): Promise<boolean> {
  const first = beatOf(path);
  if (first === undefined) return false;
  const known = `${path} ${first}`;
  let lookedAt = performance.now();
  let said = false;
  for (let quietMs = quietFor.get(known) ?? 0; quietMs < staleMs; ) {
    await pause(Math.min(LOOK_MS, staleMs - quietMs));
    const beat = beatOf(path);
    if (beat !== first) return beat !== undefined;
    const now = performance.now();
    quietMs += Math.min(now - lookedAt, 2 * LOOK_MS);
    lookedAt = now;
    quietFor.set(known, quietMs);
    if (quietMs < SAY_AFTER_MS || said) continue;
    said = true;
    onWait();
  }
  return false;
}

/** By this machine's clock, for those who only show: the owner may have another one. */
export function beatIsRecent(path: string, staleMs: number): boolean {
  try {
    return Date.now() - statSync(path).mtimeMs < staleMs;
  } catch {
    return false;
  }
}

function beatOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? undefined : `${stats.ino} ${stats.mtimeMs}`;
}
