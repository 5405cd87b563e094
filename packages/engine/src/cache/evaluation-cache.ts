import { hash } from "node:crypto";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import { UsageError } from "../usage-error.ts";
import { BUSY_TIMEOUT_MS, CacheError, createSchema, damaged, foreignTo, named } from "./schema.ts";

/** Successful evaluations, shared by runs and processes. A scope comes from {@link cacheScope}. */
export interface EvaluationCache {
  readonly path: string;
  /** The encoded value, if this or another process has put it. */
  get(scope: string, key: string): string | undefined;
  /** Keeps an encoded value; the first one written for a key stays. Written with everything else of this turn. */
  put(scope: string, key: string, encoded: string): void;
  /** Writes what was put so far; happens by itself once per turn of the event loop. */
  flush(): void;
  /** Removes old entries, oldest first, and gives their space back. Returns how many. */
  prune(limits: PruneLimits): number;
  /** Writes what is left and closes. Throws when anything that was put could not be written. Idempotent. */
  close(): void;
}

/** What a cache keeps when it is pruned. */
export interface PruneLimits {
  /** Entries written earlier than this many milliseconds ago go. */
  readonly maxAgeMs?: number;
  /** The oldest entries go until keys and values take at most this much. */
  readonly maxBytes?: number;
}

/** One transaction holds at most this much text, so that a turn with huge values does not pile them up in memory. */
const MAX_PENDING_CHARACTERS = 16 * 2 ** 20;

/**
 * Opens the cache at `path`, creating it if it does not exist. The file must be on a local disk; one that is not an
 * evaluation cache is a {@link UsageError}.
 */
export function openCache(path: string): EvaluationCache {
  return new SqliteCache(path);
}

interface Pending {
  readonly scope: string;
  readonly key: string;
  readonly encoded: string;
}

class SqliteCache implements EvaluationCache {
  readonly path: string;
  readonly #database: DatabaseSync;
  readonly #select: StatementSync;
  readonly #insert: StatementSync;
  readonly #scopeIds = new Map<string, number>();
  readonly #pending = new Map<string, Pending>();
  #pendingCharacters = 0;
  #scheduled: NodeJS.Immediate | undefined;
  #writeFailure: CacheError | undefined;
  #closed = false;

  constructor(path: string) {
    this.path = path;
    this.#database = open(path);
    this.#select = this.#database.prepare("SELECT value, checksum FROM evaluation WHERE scope = ? AND key = ?");
    this.#insert = this.#database.prepare("INSERT OR IGNORE INTO evaluation VALUES (?, ?, ?, ?, ?)");
  }

  get(scope: string, key: string): string | undefined {
    this.#refuseIfClosed();
    if (!isStorable(scope, key)) return undefined;
    // The file first: a value put here may be second to one that another process has written.
    return this.#guarded(() => this.#stored(scope, key)) ?? this.#pending.get(pendingKey(scope, key))?.encoded;
  }

  put(scope: string, key: string, encoded: string): void {
    this.#refuseIfClosed();
    if (this.#writeFailure !== undefined || !isStorable(scope, key, encoded)) return;
    const id = pendingKey(scope, key);
    if (this.#pending.has(id)) return;
    this.#pending.set(id, { scope, key, encoded });
    this.#pendingCharacters += key.length + encoded.length;
    // A failure here must not strike the run that put: the entries are lost, and `close` says so.
    if (this.#pendingCharacters > MAX_PENDING_CHARACTERS) this.#tryToWrite();
    else this.#scheduled ??= setImmediate(() => this.#tryToWrite());
  }

  flush(): void {
    this.#refuseIfClosed();
    this.#tryToWrite();
    if (this.#writeFailure !== undefined) throw this.#writeFailure;
  }

  prune(limits: PruneLimits): number {
    this.flush();
    return this.#guarded(() => {
      let removed = 0;
      this.#inTransaction(() => {
        if (limits.maxAgeMs !== undefined) {
          const statement = this.#database.prepare("DELETE FROM evaluation WHERE writtenMs < ?");
          removed += Number(statement.run(Date.now() - limits.maxAgeMs).changes);
        }
        if (limits.maxBytes !== undefined) removed += this.#removeOldest(limits.maxBytes);
      });
      this.#database.exec("PRAGMA incremental_vacuum");
      return removed;
    });
  }

  close(): void {
    if (this.#closed) return;
    this.#tryToWrite();
    this.#closed = true;
    this.#database.close();
    if (this.#writeFailure !== undefined) throw this.#writeFailure;
  }

  #stored(scope: string, key: string): string | undefined {
    const id = this.#scopeId(scope, false);
    if (id === undefined) return undefined;
    const row = this.#select.get(id, key);
    if (row === undefined) return undefined;
    const value = String(row.value);
    if (row.checksum !== checksum(scope, key, value)) {
      throw damaged(this.path, `the entry for key ${JSON.stringify(key)} has the wrong checksum`);
    }
    return value;
  }

  #tryToWrite(): void {
    clearImmediate(this.#scheduled);
    this.#scheduled = undefined;
    if (this.#pending.size === 0) return;
    try {
      this.#inTransaction(() => this.#insertPending());
    } catch (error) {
      this.#writeFailure = named(this.path, error);
      // Scopes made in the failed transaction do not exist.
      this.#scopeIds.clear();
    }
    this.#pending.clear();
    this.#pendingCharacters = 0;
  }

  #insertPending(): void {
    const now = Date.now();
    for (const { scope, key, encoded } of this.#pending.values()) {
      const id = this.#scopeId(scope, true);
      if (id !== undefined) this.#insert.run(id, key, encoded, checksum(scope, key, encoded), now);
    }
  }

  #scopeId(scope: string, create: boolean): number | undefined {
    const known = this.#scopeIds.get(scope);
    if (known !== undefined) return known;
    if (create) this.#database.prepare("INSERT OR IGNORE INTO scope (name) VALUES (?)").run(scope);
    const row = this.#database.prepare("SELECT id FROM scope WHERE name = ?").get(scope);
    if (row === undefined) return undefined;
    const id = Number(row.id);
    this.#scopeIds.set(scope, id);
    return id;
  }

  #removeOldest(maxBytes: number): number {
    const rows = this.#database
      .prepare(
        "SELECT rowid, octet_length(key) + octet_length(value) AS bytes FROM evaluation ORDER BY writtenMs DESC, rowid DESC",
      )
      .iterate();
    let kept = 0;
    const excess: number[] = [];
    for (const row of rows) {
      kept += Number(row.bytes);
      if (kept > maxBytes) excess.push(Number(row.rowid));
    }
    const remove = this.#database.prepare("DELETE FROM evaluation WHERE rowid = ?");
    for (const rowid of excess) remove.run(rowid);
    return excess.length;
  }

  #inTransaction(work: () => void): void {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      work();
      this.#database.exec("COMMIT");
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  #guarded<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw named(this.path, error);
    }
  }

  #refuseIfClosed(): void {
    if (this.#closed) throw new CacheError(`${this.path}: this cache is closed`);
  }
}

function open(path: string): DatabaseSync {
  // Loaded here, so that programs without a cache do not pay for it.
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  let database: DatabaseSync | undefined;
  try {
    mkdirSync(dirname(path), { recursive: true });
    // Answers of models are among what it keeps.
    closeSync(openSync(path, "a", 0o600));
    database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    const foreign = foreignTo(database);
    if (foreign !== undefined)
      throw new CacheError(`${path} is not an evaluation cache: ${foreign}; name a different file`);
    createSchema(database);
    return database;
  } catch (error) {
    database?.close();
    throw new UsageError(named(path, error).message);
  }
}

/** SQLite texts are UTF-8, in which half a surrogate pair has no place: such a key is evaluated each time. */
function isStorable(...texts: readonly string[]): boolean {
  return texts.every((text) => text.isWellFormed());
}

function pendingKey(scope: string, key: string): string {
  return `${scope.length}:${scope}${key}`;
}

/** A damaged page that SQLite cannot notice would change an answer without a trace. */
function checksum(scope: string, key: string, value: string): number {
  return crc32(value, crc32(pendingKey(scope, key)));
}

/** Everything besides its key that an evaluation's value depends on. */
export interface CacheScope {
  readonly evaluatorVersion: string;
  /** The encoded context. */
  readonly context: string;
  /** Seed of the run: an evaluator may use `task.seed`, which derives from it. */
  readonly seed: number;
  /** Digest of what the evaluator reads besides its context: shared arrays, artifact files. */
  readonly inputs?: string;
}

/** A text that two runs share exactly when they may share evaluations. */
export function cacheScope(scope: CacheScope): string {
  return hash("sha256", JSON.stringify([scope.evaluatorVersion, scope.context, scope.seed, scope.inputs ?? null]));
}
