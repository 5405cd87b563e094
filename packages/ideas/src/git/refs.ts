import { gitPatience, isLockError, runGit, withPatience } from "./run-git.ts";

const BRANCHES = "refs/heads/";

/** Makes a branch, or moves one that the run made before; a branch that somebody else made is left alone. */
export async function setBranch(repository: string, branch: string, commit: string, ours: boolean): Promise<void> {
  const before = ours ? [] : [""]; // an empty old value: there must be no such branch yet
  const args = ["update-ref", "--create-reflog", `${BRANCHES}${branch}`, commit, ...before];
  await withPatience(gitPatience, () => runGit(repository, args), isLockError);
}

/**
 * Removes a branch that is still at the commit; one that is gone or has been moved is left as it is. One that somebody
 * has checked out is an error: they would be left without it.
 */
export async function removeBranch(repository: string, branch: string, commit: string): Promise<void> {
  const state = await branchState(repository, branch);
  if (state?.commit !== commit) return;
  if (state.worktree !== "") throw new Error(`the branch ${branch} is checked out in ${state.worktree}`);
  const args = ["update-ref", "-d", `${BRANCHES}${branch}`, commit];
  await withPatience(gitPatience, () => runGit(repository, args), isLockError);
}

/** The commit a branch points at; undefined when there is no such branch. */
export async function branchCommit(repository: string, branch: string): Promise<string | undefined> {
  return (await branchState(repository, branch))?.commit;
}

/** The commit a branch points at and the worktree it is checked out in, if any; undefined when there is no such branch. */
async function branchState(repository: string, branch: string) {
  const format = "--format=%(refname)%00%(objectname)%00%(worktreepath)";
  const listing = await runGit(repository, ["for-each-ref", format, `${BRANCHES}${branch}`]);
  const [name, commit, worktree] = listing.replace(/\n$/, "").split("\0");
  return name === `${BRANCHES}${branch}` ? { commit, worktree } : undefined;
}

/** Branches of a run, sorted. */
export async function runBranches(repository: string, treeRunId: string): Promise<string[]> {
  const listing = await runGit(repository, ["for-each-ref", "--format=%(refname)", `${BRANCHES}tree/${treeRunId}/`]);
  return listing
    .split("\n")
    .filter(Boolean)
    .map((name) => name.slice(BRANCHES.length));
}
