import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";
import { UsageError } from "@coppice/engine/usage-error";
import type { FileRow } from "../wire.ts";

/** More files than a page can show; a run's own are a few dozen. */
const MOST_FILES = 2000;
const MOST_DEPTH = 8;

/** The regular files below a run's directory, by path; links are left out and never followed. */
export function listFiles(directory: string): FileRow[] {
  const found: FileRow[] = [];
  const visit = (inside: string, depth: number): void => {
    for (const entry of readdirSync(join(directory, inside), { withFileTypes: true })) {
      if (found.length >= MOST_FILES) return;
      const path = inside === "" ? entry.name : `${inside}/${entry.name}`;
      if (entry.isDirectory() && depth < MOST_DEPTH) visit(path, depth + 1);
      if (!entry.isFile()) continue;
      const stats = lstatSync(join(directory, path), { throwIfNoEntry: false });
      if (stats !== undefined) found.push({ path, bytes: stats.size, modifiedAt: stats.mtimeMs });
    }
  };
  visit("", 0);
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** A file that was opened for reading; whoever has it closes it. */
export interface OpenFile {
  readonly fd: number;
  readonly bytes: number;
}

/** Opens a file of a run by its path inside; refuses whatever would lead out of the run or is not a plain file. */
export function openFile(directory: string, inside: string): OpenFile {
  const parts = inside.split("/");
  if (inside.includes("\0") || inside.includes("\\") || parts.some((part) => ["", ".", ".."].includes(part))) {
    throw new UsageError(`${JSON.stringify(inside)} is not the path of a file in a run`);
  }
  const path = join(directory, ...parts);
  let fd: number;
  try {
    // Without waiting: a pipe that somebody put there would never open.
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    throw new UsageError(`there is no file ${JSON.stringify(inside)} in this run`);
  }
  try {
    const stats = fstatSync(fd);
    const real = realpathSync(path);
    const sameFile = lstatSync(real);
    const isInside = real === join(realpathSync(directory), ...parts) && real.startsWith(realpathSync(directory) + sep);
    if (!stats.isFile() || !isInside || sameFile.ino !== stats.ino || sameFile.dev !== stats.dev) {
      throw new UsageError(`${JSON.stringify(inside)} is not a plain file of this run`);
    }
    return { fd, bytes: stats.size };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}
