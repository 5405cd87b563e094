import { realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Which directory a file was written in, to tell it from a copy: a copy has another path and is another file. */
export interface FileOrigin {
  readonly directory?: string;
  readonly inode?: number;
}

/** What to write into a file so that a copy of it can be told. */
export function originOf(path: string): FileOrigin {
  return { directory: realpathSync(dirname(path)), inode: statSync(path).ino };
}

/**
 * Whether the file at `path` is the one that was written there and not a copy. A moved directory keeps its files, a
 * restored one its path; a file that does not say is taken for the original.
 */
export function isOriginal(path: string, { directory, inode }: FileOrigin): boolean {
  if (directory === undefined || inode === undefined) return true;
  const now = originOf(path);
  return now.inode === inode || now.directory === directory;
}
