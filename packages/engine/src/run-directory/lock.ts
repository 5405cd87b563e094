import {
  closeSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { processStart } from "../child-process/process-table.ts";
import { UsageError } from "../usage-error.ts";

const HEARTBEAT_MS = 2_000;
/** Fifteen heartbeats. */
export const LOCK_STALE_MS = 30_000;

export interface LockTerms {
  /** Hears when somebody else took the lock away. */
  readonly onLost: (error: Error) => void;
  /** An owner on another machine counts as dead after so long without a heartbeat; on this one it is looked for. */
  readonly staleMs?: number;
}

interface Owner {
  readonly token: string;
  readonly pid: number;
  readonly pidStart: string;
  readonly host: string;
}

/** One writer per run: an exclusively created file with its owner's token, kept fresh by a heartbeat. */
export class RunLock {
  readonly #path: string;
  readonly #token: string;
  readonly #heartbeat: NodeJS.Timeout;
  /** Whom a stale lock was taken from, if it was. */
  readonly takenFrom: string | undefined;

  private constructor(path: string, token: string, takenFrom: string | undefined, onLost: (error: Error) => void) {
    this.#path = path;
    this.#token = token;
    this.takenFrom = takenFrom;
    this.#heartbeat = setInterval(() => this.#beat(onLost), HEARTBEAT_MS);
    this.#heartbeat.unref();
  }

  /** Takes the lock of a run directory, or says who has it. */
  static acquire(directory: string, { onLost, staleMs = LOCK_STALE_MS }: LockTerms): RunLock {
    const path = join(directory, "lock");
    const own: Owner = {
      token: crypto.randomUUID(),
      pid: process.pid,
      pidStart: processStart(process.pid) ?? "",
      host: hostname(),
    };
    if (create(path, own)) return new RunLock(path, own.token, undefined, onLost);
    const owner = readOwner(path);
    if (owner !== undefined && isAlive(owner, path, staleMs)) throw new UsageError(busy(directory, owner));
    takeAway(path, directory, owner?.token);
    if (!create(path, own)) throw new UsageError(busy(directory, readOwner(path)));
    const from = owner === undefined ? "an unreadable lock" : `pid ${owner.pid} on ${owner.host}`;
    return new RunLock(path, own.token, from, onLost);
  }

  release(): void {
    clearInterval(this.#heartbeat);
    if (readOwner(this.#path)?.token === this.#token) rmSync(this.#path, { force: true });
  }

  #beat(onLost: (error: Error) => void): void {
    const owner = readOwner(this.#path);
    if (owner?.token === this.#token) {
      const now = new Date();
      utimesSync(this.#path, now, now);
      return;
    }
    clearInterval(this.#heartbeat);
    onLost(
      new Error(
        `the lock ${this.#path} was taken by ${owner === undefined ? "somebody" : `pid ${owner.pid}`}: this run stops`,
      ),
    );
  }
}

/** The process that works on a run now, if one does: reads the lock, takes nothing. */
export function runningProcess(
  directory: string,
  staleMs: number = LOCK_STALE_MS,
): Pick<Owner, "pid" | "host"> | undefined {
  const path = join(directory, "lock");
  const owner = readOwner(path);
  return owner !== undefined && isAlive(owner, path, staleMs) ? { pid: owner.pid, host: owner.host } : undefined;
}

/** Written to a draft and linked into place, so that a lock is never seen half written. */
function create(path: string, owner: Owner): boolean {
  const draft = `${path}.${owner.token}`;
  const fd = openSync(draft, "wx");
  try {
    writeSync(fd, `${JSON.stringify(owner)}\n`);
  } finally {
    closeSync(fd);
  }
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Nobody can own a lock that does not say whose it is. */
function readOwner(path: string): Owner | undefined {
  try {
    const { token, pid, pidStart, host } = JSON.parse(readFileSync(path, "utf8")) as Partial<Owner>;
    const said = [typeof token, typeof pid, typeof pidStart, typeof host].join();
    return said === "string,number,string,string" ? ({ token, pid, pidStart, host } as Owner) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the owner's process is there, when that can be seen from here; otherwise whether its heart still beats. */
function isAlive(owner: Owner, path: string, staleMs: number): boolean {
  if (owner.host === hostname()) {
    const start = processStart(owner.pid);
    if (start === undefined || owner.pidStart !== "") return start !== undefined && start === owner.pidStart;
  }
  try {
    return Date.now() - statSync(path).mtimeMs < staleMs;
  } catch {
    return false;
  }
}

/** Moves a stale lock aside. Of two takers one moves the stale file; the other finds it gone or moved a fresh one, and puts that back. */
function takeAway(path: string, directory: string, staleToken: string | undefined): void {
  const aside = `${path}.stale-${crypto.randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  const moved = readOwner(aside);
  if (moved !== undefined && moved.token !== staleToken) {
    try {
      linkSync(aside, path);
    } finally {
      rmSync(aside, { force: true });
    }
    throw new UsageError(busy(directory, moved));
  }
  rmSync(aside, { force: true });
}

function busy(directory: string, owner: Owner | undefined): string {
  const who = owner === undefined ? "another process" : `pid ${owner.pid} on ${owner.host}`;
  return `${directory} is in use by ${who}: wait until it ends, or end it`;
}
