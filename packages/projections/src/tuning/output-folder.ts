import { statSync } from "node:fs";
import { dirname } from "node:path";
import { UsageError } from "@coppice/engine/usage-error";

/** Refuses an output folder that cannot be made because a file is in its place, before the work whose result it is for. */
export function checkFolder(path: string): void {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there?.isDirectory() === true) return;
  if (there !== undefined) throw new UsageError(`--output: ${path} is a file; it must be a folder`);
  checkFolder(dirname(path));
}
