import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { isLockError, runGit } from "./run-git.ts";

/** How a worktree differs from the commit it started at. */
export interface Change {
  /** The tree as it would be committed: without ignored files. */
  readonly tree: string;
  readonly empty: boolean;
  /** Files changed, added or removed, sorted. */
  readonly files: readonly string[];
}

/** A folder in the worktree is a repository of its own: committing it would keep a reference to nothing. */
export class NestedRepository extends Error {
  override readonly name = "NestedRepository";
}

/**
 * Takes everything in the worktree that is not ignored into its index and compares it with the base commit. What the
 * step committed itself counts the same: only the files matter.
 */
export async function takeChange(worktree: string, base: string): Promise<Change> {
  await addAll(worktree);
  const tree = (await runGit(worktree, ["write-tree"])).trim();
  const raw = await runGit(worktree, ["diff-tree", "-r", "-z", "--no-renames", base, tree]);
  const files: string[] = [];
  const parts = raw.split("\0").filter(Boolean);
  for (let i = 0; i + 1 < parts.length; i += 2) {
    const [, modeAfter] = parts[i].split(" ");
    if (modeAfter === "160000") {
      throw new NestedRepository(
        `${JSON.stringify(parts[i + 1])} is a git repository inside the worktree: remove its .git folder, or ignore it`,
      );
    }
    files.push(parts[i + 1]);
  }
  return { tree, empty: files.length === 0, files };
}

/** A step that was ended in the middle of its own git command leaves a lock on its worktree's index; nobody holds it. */
async function addAll(worktree: string): Promise<void> {
  try {
    await runGit(worktree, ["add", "--all", "--", "."]);
  } catch (error) {
    if (!isLockError(error)) throw error;
    const lock = (await runGit(worktree, ["rev-parse", "--git-path", "index.lock"])).replace(/\n$/, "");
    rmSync(resolve(worktree, lock), { force: true });
    await runGit(worktree, ["add", "--all", "--", "."]);
  }
}

/** The change as a reviewer reads it. */
export function diffText(worktree: string, base: string, tree: string): Promise<string> {
  return runGit(worktree, ["diff", "--no-color", "--no-ext-diff", "--no-textconv", "--binary", base, tree]);
}

/**
 * Commits the tree on top of its base. Name, address and time are functions of the base alone, so that the same change
 * to the same commit is the same commit, in every run and on every machine.
 */
export async function commitChange(worktree: string, base: string, tree: string, title: string): Promise<string> {
  const baseSeconds = Number((await runGit(worktree, ["show", "--no-patch", "--format=%ct", base])).trim());
  const who = { name: "coppice", email: "coppice@localhost", date: `@${baseSeconds + 1} +0000` };
  const env = {
    GIT_AUTHOR_NAME: who.name,
    GIT_AUTHOR_EMAIL: who.email,
    GIT_AUTHOR_DATE: who.date,
    GIT_COMMITTER_NAME: who.name,
    GIT_COMMITTER_EMAIL: who.email,
    GIT_COMMITTER_DATE: who.date,
  };
  const commit = await runGit(worktree, ["commit-tree", tree, "-p", base], { env, input: `${oneLine(title)}\n` });
  return commit.trim();
}

/** A text of the user's as one line: a file name may contain anything but a slash. */
function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return text.replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, " ").trim();
}
