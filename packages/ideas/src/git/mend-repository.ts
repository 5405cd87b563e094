import { existsSync, realpathSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { entriesIn, textIfThere, writeDurably } from "@coppice/engine/files";
import { RepositoryLock } from "./repository-lock.ts";

/**
 * Removes what a kill or a power cut left of ours in a repository and git would stumble over: locks and unreadable refs among
 * the run's own branches, and records of worktrees that are incomplete and the run's own or nobody's. Anybody else's record
 * is only made readable. Nobody else works on the run.
 */
export async function mendRepository(gitDirectory: string, runRoot: string, treeRunId: string): Promise<void> {
  mendBranches(gitDirectory, treeRunId);
  await mendWorktrees(gitDirectory, runRoot);
}

/** The records of worktrees only: a lock of a branch may be held by a git that somebody else has started. */
export async function mendWorktrees(gitDirectory: string, runRoot: string): Promise<void> {
  const ownRoot = realpathSync(runRoot);
  const worktrees = join(gitDirectory, "worktrees");
  // Another run may be making a worktree just now.
  await RepositoryLock.of(gitDirectory).hold(() => {
    for (const name of namesIn(worktrees)) mendRecord(join(worktrees, name), ownRoot);
  });
}

/** What is in a file; nothing in one that is not there. */
const textOf = (path: string): string => textIfThere(path) ?? "";

function mendBranches(gitDirectory: string, treeRunId: string): void {
  const branches = join(gitDirectory, "refs", "heads", "tree", treeRunId);
  for (const name of namesIn(branches)) {
    const path = join(branches, name);
    if (name.endsWith(".lock") || !/^(?:[0-9a-f]{40,64}|ref: .+)\n?$/.test(textOf(path))) rmSync(path, { force: true });
  }
}

/** Git syncs neither `gitdir` nor `commondir`: each may be empty, cut short or zeros, and what is left may name a folder above. */
function mendRecord(record: string, runRoot: string): void {
  const isWhole = (file: string) => /^[^\0]+\n$/.test(textOf(join(record, file)));
  const isComplete = isWhole("commondir") && isWhole("HEAD");
  const isOurs = isWhole("gitdir")
    ? isInside(runRoot, resolve(record, textOf(join(record, "gitdir")).trim())) && !isComplete
    : !existsSync(join(record, "index")) || recordsNamedIn(runRoot).has(record);
  if (isOurs) rmSync(record, { recursive: true, force: true });
  // It never says anything else, and while it is empty git does nothing at all in the whole repository.
  else if (!isWhole("commondir")) writeDurably(join(record, "commondir"), "../..\n");
}

/** Git's records that worktrees below a folder say are theirs. */
function recordsNamedIn(folder: string): ReadonlySet<string> {
  const link = textOf(join(folder, ".git"));
  if (link !== "") return new Set([resolve(folder, link.replace(/^gitdir: /, "").trim())]);
  const folders = entriesIn(folder).filter((entry) => entry.isDirectory());
  return new Set(folders.flatMap(({ name }) => [...recordsNamedIn(join(folder, name))]));
}

function isInside(folder: string, path: string): boolean {
  return path.startsWith(`${folder}/`);
}

function namesIn(folder: string): string[] {
  return entriesIn(folder).map(({ name }) => name);
}
