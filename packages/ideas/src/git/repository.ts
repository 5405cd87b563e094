import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { UsageError } from "@coppice/engine";
import { GitError, runGit } from "./run-git.ts";

/** A repository in which a tree can be grown. */
export interface Repository {
  /** Its main folder, without symbolic links. */
  readonly root: string;
  /** Where refs, objects and worktrees are kept. */
  readonly gitDirectory: string;
  /** The commit it stands on: the tree's root. */
  readonly commit: string;
  readonly branch: string;
}

/** What `openRepository` lets pass. */
export interface RepositoryNeeds {
  /** A resumed run does not care what the user has changed since. */
  readonly clean: boolean;
}

/** Opens the repository a path is in; what stands in the way of a run is said in one line. */
export async function openRepository(path: string, needs: RepositoryNeeds): Promise<Repository> {
  const [root, gitDirectory] = await places(path);
  const commit = await headCommit(root);
  const branch = await branchName(root, needs.clean);
  if (needs.clean) await requireClean(root);
  return { root, gitDirectory, commit, branch };
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

/** A tree that grows from a commit nobody will find again is a mistake more often than not. */
async function branchName(root: string, required: boolean): Promise<string> {
  try {
    return (await runGit(root, ["symbolic-ref", "--quiet", "--short", "HEAD"])).trim();
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    if (!required) return "";
    throw new UsageError(`${root} is at a detached HEAD: check out the branch the tree should grow from`);
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
