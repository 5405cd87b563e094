import { closeSync, fsyncSync, openSync } from "node:fs";

/** Where directories cannot be opened (Windows) or synced (some network file systems), their names need no sync or have none. */
const CANNOT: readonly (string | undefined)[] = ["EINVAL", "ENOTSUP", "EPERM", "EACCES", "EISDIR"];

/** What a file holds, or a directory lists, is on the disk when this returns: names survive a power cut only after the latter. */
export function syncPath(path: string): void {
  try {
    const fd = openSync(path, "r");
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (!CANNOT.includes((error as NodeJS.ErrnoException).code)) throw error;
  }
}
