import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";

const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 25;

/**
 * One writer to the shared repository at a time, over all threads, processes and runs.
 *
 * The lock is an exclusive SQLite transaction on an empty file: the operating system takes it back when its holder
 * dies, by whatever signal, so there is no stale lock to recognise.
 */
export class RepositoryLock {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** The one for all runs in a repository: git itself stumbles over a worktree that is only half there. */
  static of(gitDirectory: string): RepositoryLock {
    return new RepositoryLock(join(gitDirectory, "coppice-tree.lock"));
  }

  /** Does the work while nobody else holds the lock; waits for as long as it takes, or until the signal. */
  async hold<Value>(work: () => Promise<Value> | Value, signal?: AbortSignal): Promise<Value> {
    const database = new DatabaseSync(this.#path);
    try {
      database.exec("PRAGMA busy_timeout = 0");
      for (let pauseMs = FIRST_PAUSE_MS; !tryBegin(database); pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
        signal?.throwIfAborted();
        await sleep(pauseMs);
      }
      return await work();
    } finally {
      database.close();
    }
  }
}

const SQLITE_BUSY = 5;

function tryBegin(database: DatabaseSync): boolean {
  try {
    // Without a journal on disk nothing is ever written: the lock can be had on a full disk, where it is needed to clean up.
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return false;
    throw error;
  }
}
