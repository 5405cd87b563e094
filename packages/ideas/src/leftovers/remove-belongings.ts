import { endMarkedProcesses, endProcess } from "@coppice/engine/child-process";
import { removeBranch } from "../git/refs.ts";
import type { RepositoryLock } from "../git/repository-lock.ts";
import { removeWorktree } from "../git/worktree.ts";
import type { Belongings, Recorded } from "./belongings.ts";
import { removeFolder } from "./remove-folder.ts";

/** The repository whose worktrees and branches are removed, and its lock. */
export interface Premises {
  readonly repository: string;
  readonly gitDirectory: string;
  readonly lock: RepositoryLock;
}

/** What became of a removal. */
export interface Removal {
  readonly removed: readonly Recorded[];
  readonly deferred: readonly Recorded[];
}

/** Removes things of the run's own record; what resists is put on record as deferred, for the next start. */
export async function removeBelongings(
  belongings: Belongings,
  things: readonly Recorded[],
  premises: Premises,
): Promise<Removal> {
  const removed: Recorded[] = [];
  const deferred: Recorded[] = [];
  // Processes first: they may still write into the folders.
  const inOrder = [...things].sort((a, b) => RANK[a.thing.kind] - RANK[b.thing.kind]);
  for (const recorded of inOrder) {
    try {
      await remove(recorded, premises);
      belongings.release(recorded);
      removed.push(recorded);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      belongings.defer(recorded, reason);
      deferred.push({ ...recorded, deferred: reason });
    }
  }
  return { removed, deferred };
}

const RANK = { process: 0, worktree: 1, folder: 2, branch: 3 } as const;

async function remove({ thing }: Recorded, { repository, gitDirectory, lock }: Premises): Promise<void> {
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
