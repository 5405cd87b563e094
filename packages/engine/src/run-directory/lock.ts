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
import { processStart } from "../process-table/process-start.ts";
import { UsageError } from "../usage-error.ts";

const HEARTBEAT_MS = 2_000;
/** On another machine only the heartbeat tells whether the owner lives. */
const STALE_AFTER_MS = 30_000;

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

  /** Takes the lock of a run directory, or says who has it. `onLost` hears when somebody else took it away. */
  static acquire(directory: string, onLost: (error: Error) => void): RunLock {
    const path = join(directory, "lock");
    const own: Owner = {
      token: crypto.randomUUID(),
      pid: process.pid,
      pidStart: processStart(process.pid) ?? "",
      host: hostname(),
    };
    if (create(path, own)) return new RunLock(path, own.token, undefined, onLost);
    const owner = readOwner(path);
    if (owner !== undefined && isAlive(owner, path)) throw new UsageError(busy(directory, owner));
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
export function runningProcess(directory: string): Pick<Owner, "pid" | "host"> | undefined {
  const path = join(directory, "lock");
  const owner = readOwner(path);
  return owner !== undefined && isAlive(owner, path) ? { pid: owner.pid, host: owner.host } : undefined;
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

function readOwner(path: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Owner;
  } catch {
    return undefined;
  }
}

function isAlive(owner: Owner, path: string): boolean {
  if (owner.host === hostname()) {
    const start = processStart(owner.pid);
    // Where start times cannot be read, a live pid has to do.
    return start === undefined ? false : owner.pidStart === "" || start === owner.pidStart;
  }
  try {
    return Date.now() - statSync(path).mtimeMs < STALE_AFTER_MS;
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
