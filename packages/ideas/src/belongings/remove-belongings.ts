import { chmodSync, lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { endMarkedProcesses, endProcess } from "@coppice/engine/child-process";
import type { OpenRun } from "../evaluate/open-run.ts";
import { removeBranches } from "../git/refs.ts";
import { gitPatience, type Patience, removalPatience, withPatience } from "../git/run-git.ts";
import { removeWorktree } from "../git/worktree.ts";
import type { Belonging, Recorded } from "./belongings.ts";

/** Processes first: they may still write into the folders. */
const RANK = { process: 0, worktree: 1, folder: 2, branch: 3 } as const;

/** For what has been waited for already. */
const AT_ONCE: Patience = { ...gitPatience, tries: 1 };

/** Removes belongings; returns what resists, which is put on record as deferred, for the next start. */
export async function removeBelongings(run: OpenRun, things: readonly Recorded[]): Promise<readonly Recorded[]> {
  const deferred: Recorded[] = [];
  for (const recorded of things.toSorted((a, b) => RANK[a.thing.kind] - RANK[b.thing.kind])) {
    if (recorded.thing.kind === "branch") continue;
    try {
      await remove(recorded.thing, run);
      run.belongings.release(recorded);
    } catch (error) {
      deferred.push(defer(run, recorded, messageOf(error)));
    }
  }
  try {
    deferred.push(...(await removeOwnBranches(run, things)));
  } catch {
    // One that is held keeps git from removing any: those that can go, go.
    for (const recorded of things.filter(({ thing }) => thing.kind === "branch")) {
      try {
        deferred.push(...(await removeOwnBranches(run, [recorded], AT_ONCE)));
      } catch (error) {
        deferred.push(defer(run, recorded, messageOf(error)));
      }
    }
  }
  return deferred;
}

/**
 * Removes the branches among belongings, all at once: git takes as long for one as for many. Returns those that somebody
 * has checked out; trouble with git is thrown.
 */
export async function removeOwnBranches(
  run: OpenRun,
  things: readonly Recorded[],
  patience = gitPatience,
): Promise<readonly Recorded[]> {
  const branches = things.flatMap(({ thing, ...rest }) => (thing.kind === "branch" ? [{ ...rest, thing }] : []));
  if (branches.length === 0) return [];
  const own = branches.map(({ thing }) => thing);
  const checkedOut = await run.lock.hold(() => removeBranches(run.repository, own, patience));
  return branches.flatMap((recorded) => {
    const { branch } = recorded.thing;
    const place = checkedOut.get(branch);
    if (place !== undefined) return defer(run, recorded, `the branch ${branch} is checked out in ${place}`);
    run.belongings.release(recorded);
    return [];
  });
}

function defer({ belongings }: OpenRun, recorded: Recorded, reason: string): Recorded {
  belongings.defer(recorded, reason);
  return { ...recorded, deferred: reason };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function remove(
  thing: Exclude<Belonging, { kind: "branch" }>,
  { repository, gitDirectory, lock }: OpenRun,
): Promise<void> {
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
