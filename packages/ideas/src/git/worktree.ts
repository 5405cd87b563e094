import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { syncPath } from "@coppice/engine/files";
import { removeFolder } from "../belongings/remove-belongings.ts";
import { gitPatience, isLockError, runGit, runGitIn, withPatience } from "./run-git.ts";

/** Where a worktree is to be, and of what. */
export interface WorktreePlace {
  readonly repository: string;
  readonly gitDirectory: string;
  readonly path: string;
}

/**
 * Registers a worktree at a commit, on no branch, without files yet. The caller holds the repository's lock; filling in
 * the files ({@link fillWorktree}) needs none.
 */
export async function registerWorktree(place: WorktreePlace, commit: string, signal?: AbortSignal): Promise<void> {
  const { repository, path } = place;
  mkdirSync(dirname(path), { recursive: true });
  await withPatience(
    gitPatience,
    async () => {
      try {
        await runGit(repository, ["worktree", "add", "--quiet", "--detach", "--no-checkout", path, commit], {
          ...(signal !== undefined && { signal }),
        });
      } catch (error) {
        // Half a worktree would be in the way of the next try.
        await removeWorktree(place);
        throw error;
      }
    },
    isLockError,
  );
  syncRecords(place);
}

/** Git leaves that undone; without it a power cut minutes later still takes a finished worktree away. */
function syncRecords({ gitDirectory, path }: WorktreePlace): void {
  const records = worktreeRecords(gitDirectory, path);
  const files = records.flatMap((record) => [join(record, "gitdir"), join(record, "commondir")]);
  for (const place of [...files, join(path, ".git"), ...records, path, join(gitDirectory, "worktrees")])
    syncPath(place);
}

/** Checks the worktree's files out. */
export async function fillWorktree(path: string, signal?: AbortSignal): Promise<void> {
  await runGitIn(path, ["reset", "--hard", "--quiet"], { ...(signal !== undefined && { signal }) });
}

/**
 * Removes a worktree and git's record of it, whatever is left of either. Never `git worktree prune`: that would also
 * forget worktrees of the user's that are only not mounted just now.
 */
export async function removeWorktree({ gitDirectory, path }: WorktreePlace): Promise<void> {
  const records = worktreeRecords(gitDirectory, path);
  await removeFolder(path);
  for (const record of records) await removeFolder(record);
}

/** Git's own folders about the worktree at this path. */
function worktreeRecords(gitDirectory: string, path: string): string[] {
  const folder = join(gitDirectory, "worktrees");
  if (!existsSync(folder)) return [];
  const wanted = new Set([join(path, ".git"), join(realParent(path), basename(path), ".git")]);
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((record) => {
      try {
        return wanted.has(readFileSync(join(record, "gitdir"), "utf8").replace(/\r?\n$/, ""));
      } catch {
        return false;
      }
    });
}

/** Git writes paths without symbolic links; the worktree itself may be gone. */
function realParent(path: string): string {
  try {
    return realpathSync(dirname(path));
  } catch {
    return dirname(path);
  }
}
