import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { isFolder } from "@coppice/engine/files";
import { UsageError } from "@coppice/engine/usage-error";

/** Says that a file could not be written where an option wants it, before the work whose result it is for. */
export function checkOutput(flag: string, path: string | undefined, ...inputs: readonly (string | undefined)[]): void {
  if (path === undefined) return;
  if (inputs.some((input) => input !== undefined && resolve(input) === resolve(path))) {
    throw new UsageError(`${flag} ${path}: it is read by this command too; choose a different file`);
  }
  if (path === "") throw new UsageError(`${flag} "": it must be the name of a file`);
  const folder = dirname(resolve(path));
  if (isFolder(path)) {
    throw new UsageError(`${flag} ${path}: is a directory; it must be the name of a file`);
  }
  if (!isFolder(folder)) {
    throw new UsageError(`${flag} ${path}: there is no directory ${folder}`);
  }
  if (!mayWrite(folder) && !mayWrite(path)) {
    throw new UsageError(`${flag} ${path}: ${folder} may not be written; choose a different directory`);
  }
}

/** The same of a page: one that was made before may be made anew; any other file is the user's, or a run's. */
export function checkPage(flag: string, path: string | undefined, ...inputs: readonly (string | undefined)[]): void {
  checkOutput(flag, path, ...inputs);
  const there = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
  if (path === undefined || there === undefined || (there.isFile() && there.size === 0)) return;
  if (!there.isFile() || !readFileSync(path, "utf8").slice(0, 2000).includes("<title>Coppice</title>"))
    throw new UsageError(`${flag} ${path}: there is a file that is not a page of ours; choose a different name`);
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Says that a folder could neither be read nor made where an option wants it. */
export function checkFolder(flag: string, path: string): void {
  if (path === "") throw new UsageError(`${flag} "": it must be the name of a directory`);
  let above = resolve(path);
  while (!existsSync(above)) above = dirname(above);
  if (!statSync(above).isDirectory()) {
    throw new UsageError(`${flag} ${path}: ${above} is not a directory`);
  }
}
