import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { UsageError } from "../usage-error.ts";
import { directoryModeIn } from "./file-mode.ts";
import { isFolder } from "./if-there.ts";
import { syncPath } from "./sync-path.ts";

/**
 * Makes a directory and those above it that are missing, or says why it cannot; all of them survive a power cut. Level by
 * level: Node's own recursive mkdir never returns where a parent exists but cannot hold directories (`/proc`).
 */
export function makeDirectory(path: string): void {
  try {
    makeLevels(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(
      `cannot create ${path}: ${code === "EACCES" ? "the folder that it would be in may not be written" : message}`,
    );
  }
}

function makeLevels(path: string): void {
  if (isFolder(path)) return;
  const above = dirname(path);
  if (above !== path) makeLevels(above);
  try {
    mkdirSync(path, directoryModeIn(above));
    syncPath(above);
  } catch (error) {
    // Another process may have been quicker.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    if (!statSync(path).isDirectory()) throw new Error(`${path} is a file`);
  }
}
