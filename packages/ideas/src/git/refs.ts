import { GitError, gitPatience, isLockError, runGit, withPatience } from "./run-git.ts";

const BRANCHES = "refs/heads/";

/** Makes a branch, or moves one that the run made before; a branch that somebody else made is left alone. */
export async function setBranch(repository: string, branch: string, commit: string, ours: boolean): Promise<void> {
  const before = ours ? [] : [""]; // an empty old value: there must be no such branch yet
  const args = ["update-ref", "--create-reflog", `${BRANCHES}${branch}`, commit, ...before];
  await withPatience(gitPatience, () => runGit(repository, args), isLockError);
}

/** A branch of the run's own, and where it left it. */
export interface OwnBranch {
  readonly branch: string;
  readonly commit: string;
}

/** So many names fit into one command line. */
const NAMES = 500;

/**
 * Removes branches that are still at their commits; those that are gone or have been moved are left as they are. One that
 * somebody has checked out stays, too, as they would be left without it: returns where each of these is checked out.
 */
export async function removeBranches(
  repository: string,
  branches: readonly OwnBranch[],
  patience = gitPatience,
): Promise<ReadonlyMap<string, string>> {
  const checkedOut = new Map<string, string>();
  for (let at = 0; at < branches.length; at += NAMES) {
    const some = branches.slice(at, at + NAMES);
    const states = await branchStates(
      repository,
      some.map(({ branch }) => branch),
    );
    const there = some.filter(({ branch, commit }) => states.get(branch)?.commit === commit);
    for (const { branch } of there) {
      const { worktree = "" } = states.get(branch) ?? {};
      if (worktree !== "") checkedOut.set(branch, worktree);
    }
    const free = there.filter(({ branch }) => !checkedOut.has(branch));
    if (free.length === 0) continue;
    const input = free.map(({ branch, commit }) => `delete ${BRANCHES}${branch} ${commit}\n`).join("");
    await withPatience(patience, () => runGit(repository, ["update-ref", "--stdin"], { input }), isLockError);
  }
  return checkedOut;
}

/** The commit a branch points at; undefined when there is no such branch. */
export async function branchCommit(repository: string, branch: string): Promise<string | undefined> {
  return (await branchStates(repository, [branch])).get(branch)?.commit;
}

/** Whether the repository still has a commit: one that is on no branch is taken away by a `git gc`. */
export async function hasCommit(repository: string, commit: string): Promise<boolean> {
  try {
    await runGit(repository, ["cat-file", "-e", `${commit}^{commit}`]);
    return true;
  } catch (error) {
    if (error instanceof GitError && error.exitCode !== undefined) return false;
    throw error;
  }
}

/** What is to be said of a node whose commit is not there any more. */
export function goneText(node: string, commit: string): string {
  return `node ${node} is gone: its branch was removed, and git has taken its commit ${commit.slice(0, 12)} away; start a new run`;
}

/** The commits that branches point at and the worktrees they are checked out in, if any, of those that there are. */
async function branchStates(repository: string, branches: readonly string[]) {
  const format = "--format=%(refname)%00%(objectname)%00%(worktreepath)";
  const names = branches.map((branch) => `${BRANCHES}${branch}`);
  const listing = await runGit(repository, ["for-each-ref", format, ...names]);
  return new Map(
    listing.split("\n").map((line) => {
      const [name, commit, worktree] = line.split("\0");
      return [name.slice(BRANCHES.length), { commit, worktree }] as const;
    }),
  );
}

/** Branches of a run, sorted. */
export async function runBranches(repository: string, treeRunId: string): Promise<string[]> {
  const listing = await runGit(repository, ["for-each-ref", "--format=%(refname)", `${BRANCHES}tree/${treeRunId}/`]);
  return listing
    .split("\n")
    .filter(Boolean)
    .map((name) => name.slice(BRANCHES.length));
}
