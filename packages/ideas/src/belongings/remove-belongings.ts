import { chmodSync, lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { endMarkedProcesses, endProcess } from "@coppice/engine/child-process";
import type { OpenRun } from "../evaluate/open-run.ts";
import { removeBranch } from "../git/refs.ts";
import { removalPatience, withPatience } from "../git/run-git.ts";
import { removeWorktree } from "../git/worktree.ts";
import type { Recorded } from "./belongings.ts";

/** Processes first: they may still write into the folders. */
const RANK = { process: 0, worktree: 1, folder: 2, branch: 3 } as const;

/** Removes belongings; returns what resists, which is put on record as deferred, for the next start. */
export async function removeBelongings(run: OpenRun, things: readonly Recorded[]): Promise<readonly Recorded[]> {
  const deferred: Recorded[] = [];
  for (const recorded of things.toSorted((a, b) => RANK[a.thing.kind] - RANK[b.thing.kind])) {
    try {
      await remove(recorded, run);
      run.belongings.release(recorded);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      run.belongings.defer(recorded, reason);
      deferred.push({ ...recorded, deferred: reason });
    }
  }
  return deferred;
}

async function remove({ thing }: Recorded, { repository, gitDirectory, lock }: OpenRun): Promise<void> {
  switch (thing.kind) {
    case "process":
      endProcess(thing.pid, thing.pidStart);
      endMarkedProcesses(thing.mark);
      return;
    case "worktree":
      await lock.hold(() => removeWorktree({ repository, gitDirectory, path: thing.path }));
      return;
    case "folder":
      await removeFolder(thing.path);
      return;
    case "branch":
      await lock.hold(() => removeBranch(repository, thing.branch, thing.commit));
      return;
  }
}

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
