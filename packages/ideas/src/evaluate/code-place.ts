import { join } from "node:path";
import { setBranch } from "../git/refs.ts";
import { GitError } from "../git/run-git.ts";
import { fillWorktree, registerWorktree, removeWorktree } from "../git/worktree.ts";
import { removeBelongings } from "../leftovers/remove-belongings.ts";
import type { Site } from "./site.ts";

/** Ends and removes whatever an earlier attempt of the same owner left; what resists is an error here. */
export async function clearOwner(site: Site, owner: string): Promise<void> {
  const { deferred } = await removeBelongings(site.belongings, site.belongings.of(owner), site);
  if (deferred.length === 0) return;
  throw new Error(
    `an earlier attempt left what cannot be removed: ${deferred.map(({ deferred }) => deferred).join("; ")}`,
  );
}

/** Makes a worktree of the run's own at a commit, with its files. `path` is relative to the run's root. */
export async function makeWorktree(
  site: Site,
  place: { readonly path: string; readonly owner: string; readonly stays: "result" | "work" },
  commit: string,
  signal: AbortSignal,
): Promise<void> {
  const path = join(site.runRoot, place.path);
  site.belongings.claim({ kind: "worktree", path }, place.owner, place.stays);
  await site.lock.hold(async () => {
    // A folder in the way is a crashed attempt's that never got on record, and below the run's root: ours.
    await removeWorktree({ ...site, path });
    await registerWorktree({ ...site, path }, commit, signal);
  }, signal);
  await fillWorktree(path, signal);
}

/** Makes a branch of the run's own; one of that name that the run did not make is left alone and an error. */
export async function makeBranch(
  site: Site,
  branch: string,
  commit: string,
  owner: string,
  stays: "result" | "work",
): Promise<void> {
  const ours = site.belongings.of(owner).some(({ thing }) => thing.kind === "branch" && thing.branch === branch);
  const claimed = site.belongings.claim({ kind: "branch", branch, commit }, owner, stays);
  try {
    await site.lock.hold(() => setBranch(site.repository, branch, commit, ours));
  } catch (error) {
    if (!(error instanceof GitError) || !/reference already exists/.test(error.stderr)) throw error;
    site.belongings.release(claimed);
    throw new GitError(["branch", branch], undefined, `a branch ${branch} exists that this run did not make`);
  }
}
