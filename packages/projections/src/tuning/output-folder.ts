import { mkdtempSync, rmdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { UsageError } from "@coppice/engine/usage-error";

/**
 * Refuses an output folder that cannot be made, because a file is in its place or nothing can be written there, before the
 * work whose result it is for. Tried, not asked: a file system may refuse what permissions allow.
 */
export function checkFolder(path: string): void {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there === undefined) {
    checkFolder(dirname(path));
    return;
  }
  if (!there.isDirectory()) throw new UsageError(`--output: ${path} is a file; it must be a folder`);
  try {
    rmdirSync(mkdtempSync(join(path, ".coppice-")));
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    throw new UsageError(`--output: nothing can be written in ${path} (${code}): choose another folder`);
  }
}
