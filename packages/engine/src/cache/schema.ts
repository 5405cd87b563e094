import type { DatabaseSync } from "node:sqlite";

/** "Copp" in ASCII: marks a database file as ours (`PRAGMA application_id`). */
const APPLICATION_ID = 0x436f7070;
const SCHEMA_VERSION = 1;

/** Why a file cannot serve as a cache, or undefined when it can (an empty file can: it becomes one). */
export function foreignTo(database: DatabaseSync): string | undefined {
  if (isEmpty(database)) return undefined;
  if (pragma(database, "application_id") !== APPLICATION_ID) return "it is the database of another program";
  const version = pragma(database, "user_version");
  if (version !== SCHEMA_VERSION) return `it has format ${version}, and this release reads format ${SCHEMA_VERSION}`;
  return undefined;
}

/** Makes an empty database a cache. Several processes may do this at once; one of them does the work. */
export function createSchema(database: DatabaseSync): void {
  // Outside the transaction, because neither can be changed inside one. Pages freed by pruning go back to the system.
  if (isEmpty(database)) database.exec("PRAGMA auto_vacuum = INCREMENTAL");
  database.exec("PRAGMA journal_mode = WAL");
  database.exec("PRAGMA synchronous = NORMAL");
  database.exec("BEGIN IMMEDIATE");
  try {
    if (isEmpty(database)) {
      database.exec(`
        CREATE TABLE scope (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        CREATE TABLE evaluation (
          scope INTEGER NOT NULL REFERENCES scope (id),
          key TEXT NOT NULL,
          value TEXT NOT NULL,
          checksum INTEGER NOT NULL,
          writtenMs INTEGER NOT NULL,
          PRIMARY KEY (scope, key)
        );
        CREATE INDEX evaluation_age ON evaluation (writtenMs);
        PRAGMA application_id = ${APPLICATION_ID};
        PRAGMA user_version = ${SCHEMA_VERSION};
      `);
    }
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

function isEmpty(database: DatabaseSync): boolean {
  return database.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined;
}

function pragma(database: DatabaseSync, name: "application_id" | "user_version"): unknown {
  return database.prepare(`PRAGMA ${name}`).get()?.[name];
}

/** A cache that was open can no longer be used; the message names the file and says what to do. */
export class CacheError extends Error {
  override readonly name = "CacheError";
}

/** How long to wait for another process's transaction; theirs take milliseconds. */
export const BUSY_TIMEOUT_MS = 10_000;

const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

/** An error that names the file, which SQLite's own messages do not. */
export function named(path: string, error: unknown): CacheError {
  if (error instanceof CacheError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : undefined;
  switch (code) {
    case SQLITE_NOTADB:
      return new CacheError(`${path} is not an evaluation cache: it is not a database; name a different file`);
    case SQLITE_CORRUPT:
      return damaged(path, message);
    case SQLITE_BUSY:
      return new CacheError(
        `${path}: another process has kept the evaluation cache locked for ${BUSY_TIMEOUT_MS / 1000} s`,
      );
    default:
      return new CacheError(`${path}: the evaluation cache cannot be used (${message})`);
  }
}

/** The error for a file whose content changed under us. */
export function damaged(path: string, how: string): CacheError {
  return new CacheError(
    `${path}: the evaluation cache is damaged (${how}); delete the file to start with an empty one`,
  );
}
