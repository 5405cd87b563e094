import { chmodSync, lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { removalPatience, withPatience } from "../git/retry.ts";

/** Removes a folder with everything in it; tries again while something in it is still being written or is protected. */
export function removeFolder(path: string): Promise<void> {
  return withPatience(
    removalPatience,
    () => rmSync(path, { recursive: true, force: true }),
    (error) => {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EACCES" || code === "EPERM") makeWritable(path);
      return ["EACCES", "EPERM", "ENOTEMPTY", "EBUSY", "EEXIST"].includes(code ?? "");
    },
  );
}

/** Programs may protect what they write (package caches do); nothing in a folder of ours is sacred. */
function makeWritable(path: string): void {
  try {
    if (!lstatSync(path).isDirectory()) return;
    chmodSync(path, 0o700);
    for (const name of readdirSync(path)) makeWritable(join(path, name));
  } catch {
    // What cannot be changed is reported by the removal that follows.
  }
}
