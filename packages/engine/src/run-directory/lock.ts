import {
  closeSync,
  existsSync,
  fstatSync,
  linkSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileModeIn } from "../files/file-mode.ts";
import { UsageError } from "../usage-error.ts";
import {
  beatIsRecent,
  describeOwner,
  heartBeats,
  type LockOwner,
  ownerAtOnce,
  ownerHere,
  readOwner,
} from "./lock-owner.ts";

const HEARTBEAT_MS = 2_000;
/** Fifteen heartbeats. */
export const LOCK_STALE_MS = 30_000;
/** How long what was seen of the lock may be relied on where nothing but a log is written. */
const RECENT_MS = 500;

export interface LockTerms {
  /** Hears when somebody else took the lock away. */
  readonly onLost: (error: Error) => void;
  /** An owner that cannot be looked up from here counts as dead after this long without a heartbeat. */
  readonly staleMs?: number;
  /** Hears, in one line, when it takes a while to see whether the owner still lives. */
  readonly onWait?: ((message: string) => void) | undefined;
}

/** Somebody else works on the run now: whatever this process would still write is theirs to write. */
export class LockLost extends Error {
  override readonly name = "LockLost";
}

/** One writer per run: an exclusively created file with its owner's token, kept fresh by a heartbeat. */
export class RunLock {
  readonly #path: string;
  readonly #token: string;
  /** Kept open, so that no later lock can be the same file. */
  readonly #fd: number;
  readonly #inode: number;
  readonly #device: number;
  readonly #heartbeat: NodeJS.Timeout;
  #lost: LockLost | undefined;
  #released = false;
  #seenAt: Clocks = clocks();
  /** Whom a stale lock was taken from, if it was, and whether that process might still come back. */
  readonly takenFrom: { readonly who: string; readonly mayReturn: boolean } | undefined;

  private constructor(path: string, held: HeldFile, takenFrom: RunLock["takenFrom"], { onLost }: LockTerms) {
    this.#path = path;
    this.#token = held.token;
    this.#fd = held.fd;
    const { ino, dev } = fstatSync(held.fd);
    this.#inode = ino;
    this.#device = dev;
    this.takenFrom = takenFrom;
    this.#heartbeat = setInterval(() => this.#beat(onLost), HEARTBEAT_MS);
    this.#heartbeat.unref();
  }

  /**
   * Takes the lock of a run directory, or says who has it. An owner that can be looked up from here is; of any other the
   * heartbeat is watched, and while there is one the lock is never taken.
   */
  static async acquire(directory: string, terms: LockTerms): Promise<RunLock> {
    const path = join(directory, "lock");
    const own = ownerHere();
    const free = create(path, own);
    if (free !== undefined) return new RunLock(path, free, undefined, terms);
    const owner = readOwner(path);
    const mayReturn = owner !== undefined && ownerAtOnce(path, owner) === "unknown";
    if (owner !== undefined && (await isAlive(path, owner, terms))) throw new UsageError(busy(directory, owner));
    takeAway(path, directory, owner?.token);
    const taken = create(path, own);
    if (taken === undefined) throw new UsageError(busy(directory, readOwner(path)));
    const who = owner === undefined ? "an unreadable lock" : describeOwner(owner);
    return new RunLock(path, taken, { who, mayReturn }, terms);
  }

  /** Throws when the lock is no longer ours. To be called right before anything is written that a resume reads. */
  confirm(): void {
    this.#lost ??= this.#look();
    if (this.#lost !== undefined) throw this.#lost;
  }

  /** Whether the lock is ours, as far as was seen a moment ago: for logs. After a pause it is looked at again. */
  get held(): boolean {
    if (this.#lost !== undefined) return false;
    if (isRecent(this.#seenAt)) return true;
    this.#lost = this.#look();
    return this.#lost === undefined;
  }

  release(): void {
    clearInterval(this.#heartbeat);
    if (this.#released) return;
    const lost = this.#lost ?? this.#lookWell();
    this.#released = true;
    if (lost === undefined) rmSync(this.#path, { force: true });
    closeSync(this.#fd);
  }

  #look(): LockLost | undefined {
    if (this.#released) return undefined;
    this.#seenAt = clocks();
    try {
      const stats = statSync(this.#path);
      if (stats.ino === this.#inode && stats.dev === this.#device) return undefined;
    } catch {
      // Gone, or its file system is: either way it is not held.
    }
    return this.#taken();
  }

  /** Looks also at what is in the file; one that cannot be read just now (too many open files) is still ours. */
  #lookWell(): LockLost | undefined {
    const token = readOwner(this.#path)?.token;
    return token === undefined || token === this.#token ? this.#look() : this.#taken();
  }

  #taken(): LockLost {
    const owner = readOwner(this.#path);
    const what =
      owner !== undefined
        ? `was taken by ${describeOwner(owner)}`
        : existsSync(dirname(this.#path))
          ? "was removed or replaced"
          : "is gone, because its run's directory was moved or removed";
    return new LockLost(`the lock ${this.#path} ${what}: this process stops and writes nothing more`);
  }

  #beat(onLost: (error: Error) => void): void {
    this.#lost ??= this.#lookWell();
    if (this.#lost === undefined) {
      const now = new Date();
      utimesSync(this.#path, now, now);
      return;
    }
    clearInterval(this.#heartbeat);
    onLost(this.#lost);
  }
}

/** The process that works on a run now, if one does, as far as can be said at once: reads the lock, takes nothing. */
export function runningProcess(
  directory: string,
  staleMs: number = LOCK_STALE_MS,
): Pick<LockOwner, "pid" | "host"> | undefined {
  const path = join(directory, "lock");
  const owner = readOwner(path);
  if (owner === undefined) return undefined;
  const seen = ownerAtOnce(path, owner);
  const alive = seen === "unknown" ? beatIsRecent(path, staleMs) : seen === "alive";
  return alive ? { pid: owner.pid, host: owner.host } : undefined;
}

/** Refuses while another process works on a run, however long it takes to be sure. */
export async function refuseIfLocked(directory: string, terms: Omit<LockTerms, "onLost"> = {}): Promise<void> {
  const path = join(directory, "lock");
  const owner = readOwner(path);
  if (owner !== undefined && (await isAlive(path, owner, terms))) throw new UsageError(busy(directory, owner));
}

async function isAlive(path: string, owner: LockOwner, terms: Omit<LockTerms, "onLost">): Promise<boolean> {
  const seen = ownerAtOnce(path, owner);
  if (seen !== "unknown") return seen === "alive";
  const { staleMs = LOCK_STALE_MS, onWait } = terms;
  const seconds = Math.ceil(staleMs / 1000);
  return heartBeats(path, staleMs, () =>
    onWait?.(
      `${describeOwner(owner)} holds the run's lock and cannot be looked up from here: waiting ${seconds} s for a heartbeat`,
    ),
  );
}

interface HeldFile {
  readonly token: string;
  readonly fd: number;
}

/** Written to a draft and linked into place, so that a lock is never seen half written. */
function create(path: string, owner: LockOwner): HeldFile | undefined {
  const draft = `${path}.${owner.token}`;
  const fd = openSync(draft, "wx", fileModeIn(dirname(path)));
  let held = false;
  try {
    const origin = { directory: realpathSync(join(path, "..")), inode: fstatSync(fd).ino };
    writeSync(fd, `${JSON.stringify({ ...owner, ...origin })}\n`);
    linkSync(draft, path);
    held = true;
    return { token: owner.token, fd };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return undefined;
    throw error;
  } finally {
    if (!held) closeSync(fd);
    rmSync(draft, { force: true });
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

function busy(directory: string, owner: LockOwner | undefined): string {
  const who = owner === undefined ? "another process" : describeOwner(owner);
  return `${directory} is in use by ${who}: wait until it ends, or end it`;
}

/** A stopped process finds the one clock moved on, a suspended machine perhaps only the other. */
interface Clocks {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

function clocks(): Clocks {
  return { monotonicMs: performance.now(), wallMs: Date.now() };
}

function isRecent({ monotonicMs, wallMs }: Clocks): boolean {
  return performance.now() - monotonicMs < RECENT_MS && Math.abs(Date.now() - wallMs) < RECENT_MS;
}
