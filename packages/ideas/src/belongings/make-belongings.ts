import { join } from "node:path";
import { MachineTrouble } from "../evaluate/machine-trouble.ts";
import type { OpenRun } from "../evaluate/open-run.ts";
import { setBranch } from "../git/refs.ts";
import { GitError } from "../git/run-git.ts";
import { fillSubmodules } from "../git/submodules.ts";
import { fillWorktree, registerWorktree, removeWorktree } from "../git/worktree.ts";
import type { Recorded } from "./belongings.ts";
import { linkIgnored } from "./furnish.ts";
import { removeBelongings } from "./remove-belongings.ts";

/** Whose a belonging is, and whether it stays when its owner has ended. */
type Ownership = Pick<Recorded, "owner" | "stays">;

/** Ends and removes whatever an earlier attempt of the same owner left; what resists is nobody's fault who comes now. */
export async function clearOwner(run: OpenRun, owner: string): Promise<void> {
  const deferred = await removeBelongings(run, run.belongings.of(owner));
  if (deferred.length === 0) return;
  const reasons = deferred.map((each) => each.deferred).join("; ");
  throw new MachineTrouble(`an earlier attempt left what cannot be removed: ${reasons}`);
}

/** Makes a worktree of the run's own at a commit, with its files. `place` is relative to the run's root. */
export async function makeWorktree(
  run: OpenRun,
  place: string,
  commit: string,
  { owner, stays }: Ownership,
  signal: AbortSignal,
): Promise<void> {
  const path = join(run.runRoot, place);
  run.belongings.claim({ kind: "worktree", path }, owner, stays);
  await run.lock.hold(async () => {
    // A folder in the way is a crashed attempt's that never got on record, and below the run's root: ours.
    await removeWorktree({ ...run, path });
    await registerWorktree({ ...run, path }, commit, signal);
  }, signal);
  await fillWorktree(path, signal);
  await fillSubmodules(path, run.gitDirectory, signal);
  linkIgnored(run, path);
}

/** Makes a branch of the run's own; one of that name that the run did not make is left alone and an error. */
export async function makeBranch(
  run: OpenRun,
  branch: string,
  commit: string,
  { owner, stays }: Ownership,
): Promise<void> {
  const ours = run.belongings.of(owner).some(({ thing }) => thing.kind === "branch" && thing.branch === branch);
  const claimed = run.belongings.claim({ kind: "branch", branch, commit }, owner, stays);
  try {
    await run.lock.hold(() => setBranch(run.repository, branch, commit, ours));
  } catch (error) {
    if (!(error instanceof GitError) || !/reference already exists/.test(error.stderr)) throw error;
    run.belongings.release(claimed);
    throw new GitError(["branch", branch], undefined, `a branch ${branch} exists that this run did not make`);
  }
}
