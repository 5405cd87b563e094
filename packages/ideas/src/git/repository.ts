import { appendFileSync, mkdirSync, realpathSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { textIfThere } from "@coppice/engine/files";
import { UsageError } from "@coppice/engine/usage-error";
import { branchCommit, runBranches } from "./refs.ts";
import { GitError, runGit } from "./run-git.ts";

/** A repository in which a tree can be grown. */
export interface Repository {
  /** Its main folder, without symbolic links. */
  readonly root: string;
  /** Where refs, objects and worktrees are kept. */
  readonly gitDirectory: string;
  /** The commit it is at: the tree's root. */
  readonly commit: string;
}

/**
 * Opens the repository a path is in; what keeps a run from it is said in one line. `clean`: refuses
 * uncommitted changes, which a resumed run does not care about. A detached HEAD is as good as a branch: that is what
 * continuous integration checks out, and the root's own branch keeps the commit.
 */
export async function openRepository(path: string, needs: { readonly clean: boolean }): Promise<Repository> {
  const [root, gitDirectory] = await places(path);
  const commit = await headCommit(root);
  if (needs.clean) await requireClean(root);
  return { root, gitDirectory, commit };
}

async function places(path: string): Promise<readonly [string, string]> {
  try {
    const said = await runGit(path, ["rev-parse", "--is-bare-repository", "--git-common-dir"]);
    const [bare, common] = said.split("\n");
    if (bare === "true") throw new UsageError(`${path} is a bare repository: give one with a working tree`);
    const top = (await runGit(path, ["rev-parse", "--show-toplevel"])).replace(/\n$/, "");
    return [realpathSync(top), realpathSync(resolve(path, common))];
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const dubious = /dubious ownership/.test(error.stderr);
    const why = dubious ? "belongs to another user (git calls this dubious ownership)" : "is not a git repository";
    throw new UsageError(`${path} ${why}: give the folder of a repository you own, or make one with "git init"`);
  }
}

async function headCommit(root: string): Promise<string> {
  try {
    return (await runGit(root, ["rev-parse", "--verify", "HEAD^{commit}"])).trim();
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    throw new UsageError(`${root} has no commit yet: the tree grows from one, so commit something first`);
  }
}

async function requireClean(root: string): Promise<void> {
  const changed = (await runGit(root, ["status", "--porcelain", "-z", "--untracked-files=normal"])).split("\0");
  const names = changed.filter(Boolean).map((entry) => entry.slice(3));
  if (names.length === 0) return;
  const shown = names
    .slice(0, 3)
    .map((name) => JSON.stringify(name))
    .join(", ");
  const more = names.length > 3 ? ` and ${names.length - 3} more` : "";
  throw new UsageError(`${root} has uncommitted changes (${shown}${more}): commit or stash them first`);
}

/** Refuses a name for a new run under which the repository has branches already. */
export async function refuseTakenName(repository: string, treeRunId: string): Promise<void> {
  for (const folder of ["tree", `tree/${treeRunId}`]) {
    if ((await branchCommit(repository, folder)) === undefined) continue;
    const way = folder === "tree" ? `rename it ("git branch -m ${folder} <name>")` : "name this run with --id";
    throw new UsageError(
      `${repository} has a branch ${folder}, and git keeps no branch tree/${treeRunId}/n0000 beside it: ${way}`,
    );
  }
  const [branch] = await runBranches(repository, treeRunId);
  if (branch === undefined) return;
  throw new UsageError(`${repository} has a branch ${branch} of another run: remove it, or name this run with --id`);
}

/** Keeps the runs directory out of `git status`; does nothing when it is not in the repository. */
export async function excludeFromGit(repository: string, runsDirectory: string): Promise<void> {
  const { root, gitDirectory } = await openRepository(repository, { clean: false });
  excludeFolder(root, gitDirectory, runsDirectory);
}

/**
 * Adds a folder inside the repository to `.git/info/exclude`, once, so that a run never makes its own repository dirty.
 * A folder outside needs nothing. Returns whether the line was added.
 */
export function excludeFolder(repositoryRoot: string, gitDirectory: string, folder: string): boolean {
  const inside = relative(repositoryRoot, realpathSync(folder));
  if (inside === "" || inside === ".." || inside.startsWith(`..${sep}`)) return false;
  const line = `/${escapePattern(inside.split(sep).join("/"))}/`;
  const path = join(gitDirectory, "info", "exclude");
  const before = textIfThere(path) ?? "";
  if (before.split(/\r?\n/).includes(line)) return false;
  mkdirSync(join(gitDirectory, "info"), { recursive: true });
  // Synced: after a power cut a run's own folder would make the repository dirty, and the next run be refused for it.
  appendFileSync(path, `${before === "" || before.endsWith("\n") ? "" : "\n"}${line}\n`, { flush: true });
  return true;
}

/** What the pattern language would read as something else: wildcards, escapes, blanks at the end. */
function escapePattern(path: string): string {
  return path.replace(/[\\*?[\]]/g, "\\$&").replace(/ +$/, (blanks) => "\\ ".repeat(blanks.length));
}
