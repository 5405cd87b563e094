import { gitPatience, withPatience } from "./retry.ts";
import { GitError, isLockError, runGit } from "./run-git.ts";

const BRANCHES = "refs/heads/";

/** Makes a branch, or moves one that the run made before; a branch that somebody else made is left alone. */
export async function setBranch(repository: string, branch: string, commit: string, ours: boolean): Promise<void> {
  const before = ours ? [] : [""]; // an empty old value: there must be no such branch yet
  const args = ["update-ref", "--create-reflog", `${BRANCHES}${branch}`, commit, ...before];
  await withPatience(gitPatience, () => runGit(repository, args), isLockError);
}

/** Removes a branch that is still at the commit; one that is gone or has been moved is left as it is. */
export async function removeBranch(repository: string, branch: string, commit: string): Promise<void> {
  const args = ["update-ref", "-d", `${BRANCHES}${branch}`, commit];
  try {
    await withPatience(gitPatience, () => runGit(repository, args), isLockError);
  } catch (error) {
    if ((await branchCommit(repository, branch)) === commit) throw error;
  }
}

/** The commit a branch points at; undefined when there is no such branch. */
export async function branchCommit(repository: string, branch: string): Promise<string | undefined> {
  try {
    return (await runGit(repository, ["rev-parse", "--verify", "--quiet", `${BRANCHES}${branch}^{commit}`])).trim();
  } catch (error) {
    if (error instanceof GitError && error.exitCode === 1) return undefined;
    throw error;
  }
}

/** Branches of a run, sorted. */
export async function runBranches(repository: string, treeRunId: string): Promise<string[]> {
  const listing = await runGit(repository, ["for-each-ref", "--format=%(refname)", `${BRANCHES}tree/${treeRunId}/`]);
  return listing
    .split("\n")
    .filter(Boolean)
    .map((name) => name.slice(BRANCHES.length));
}
