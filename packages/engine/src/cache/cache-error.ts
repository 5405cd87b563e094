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
      return new CacheError(`${path} is not an evaluation cache: it is no database at all; name another file`);
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
