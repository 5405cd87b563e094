import { lstatSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { makeDirectory, removeIfEmpty } from "@coppice/engine/files";
import { UsageError } from "@coppice/engine/usage-error";

/** Writes all files of a project into a folder, or none of them; never over one that is there. */
export function writeProject(folder: string, files: Readonly<Record<string, string>>): void {
  refuseIfTaken(folder, Object.keys(files));
  writeAll(folder, files);
}

/** Says why the files cannot be written there: they would never replace one. */
function refuseIfTaken(folder: string, names: readonly string[]): void {
  if (folder === "")
    throw new UsageError("the folder has no name: give one, or leave it out for the folder you are in");
  if (resolve(folder).split(sep).includes("node_modules")) {
    throw new UsageError(
      `${folder} is below node_modules, where Node runs no TypeScript and npm keeps its own: choose another folder`,
    );
  }
  const found = stats(folder);
  if (found === undefined) return;
  if (!found.isDirectory()) throw new UsageError(`${folder} is not a folder: nothing was written`);
  // A link that leads nowhere is there, too.
  const taken = names.filter((name) => lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined);
  if (taken.length === 0) return;
  throw new UsageError(
    `${taken.map((name) => join(folder, name)).join(", ")} ${taken.length === 1 ? "exists" : "exist"}: nothing was written, choose an empty folder`,
  );
}

/** What is at a path, wherever links lead; undefined when nothing is. */
function stats(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw new UsageError(`cannot write to ${path}: ${(error as Error).message}`);
  }
}

/** Takes back what it has written when it cannot write the rest. */
function writeAll(folder: string, files: Readonly<Record<string, string>>): void {
  const missing = missingFolders(resolve(folder));
  const written: string[] = [];
  try {
    makeDirectory(resolve(folder));
    for (const [name, text] of Object.entries(files)) {
      const path = join(folder, name);
      writeFileSync(path, text, { flag: "wx" });
      written.push(path);
    }
  } catch (error) {
    for (const path of written) rmSync(path, { force: true });
    for (const path of missing) removeIfEmpty(path);
    if (error instanceof UsageError) throw error;
    throw new UsageError(`cannot write the project: ${(error as Error).message}; nothing was left behind`);
  }
}

/** The folder and those above it that are not there yet, the innermost first. */
function missingFolders(path: string): string[] {
  return stats(path) !== undefined || dirname(path) === path ? [] : [path, ...missingFolders(dirname(path))];
}
