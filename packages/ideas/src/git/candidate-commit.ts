import { readlinkSync, realpathSync, rmSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { isLockError, runGitIn } from "./run-git.ts";
import { changedSubmodule } from "./submodules.ts";

/** How a worktree differs from the commit it started at. */
export interface Change {
  readonly empty: boolean;
  /** The change as a reviewer reads it. */
  readonly diff: string;
}

/** A folder in the worktree is a repository of its own: committing it would keep a reference to nothing. */
export class NestedRepository extends Error {
  override readonly name = "NestedRepository";
}

/**
 * Takes everything in the worktree that is not ignored into its index and compares it with the base commit. What the
 * step committed itself counts the same: only the files matter. Submodules must hold what they held before.
 */
export async function takeChange(
  worktree: string,
  base: string,
  linked: readonly string[] = [],
  held: ReadonlyMap<string, string> = new Map(),
): Promise<Change> {
  await addAll(worktree, linked);
  let change = await staged(worktree, base);
  if (change.files.some(isLink) && linked.length > 0) {
    // A step that adds everything itself takes our links for files of its own.
    const ours = linked.map((path) => `:(top,literal)${path}`);
    await runGitIn(worktree, ["rm", "-r", "--quiet", "--cached", "--ignore-unmatch", "--", ...ours]);
    change = await staged(worktree, base);
  }
  if (change.files.some(isLink)) await refuseLinksOut(worktree, base);
  if (change.files.some((line) => /[AM]\t\.gitmodules$/.test(line))) {
    // What git cannot read there would be in the way of every worktree of it.
    await runGitIn(worktree, ["config", "--file", ".gitmodules", "--list"]);
    await runGitIn(worktree, ["show", "--no-patch", "--format=", "HEAD"]);
  }
  const nested = change.files.find((line) => /^:\d+ 160000 /.test(line));
  if (nested !== undefined) {
    const name = nested.slice(nested.indexOf("\t") + 1);
    const why = nested.startsWith(":160000 ")
      ? `the submodule ${name} is at another commit, which only this worktree has: change it in its own repository first`
      : `${name} is a git repository inside the worktree: remove its .git folder, or ignore it`;
    throw new NestedRepository(why);
  }
  const changed = held.size === 0 ? undefined : await changedSubmodule(worktree, held);
  if (changed !== undefined) {
    const { path, files } = changed;
    const more = files.length > 3 ? ` and ${files.length - 3} more` : "";
    const which = files.length === 0 ? "" : ` (${files.slice(0, 3).join(", ")}${more})`;
    throw new NestedRepository(
      `files in the submodule ${path} were changed${which}, which no commit here can hold: change them in its own repository; what is only built there belongs into steps.setup, or is to be ignored there`,
    );
  }
  return change;
}

/** What the index has that the base has not; of each file a line `:mode mode id id status<tab>name`. */
async function staged(worktree: string, base: string): Promise<Change & { readonly files: readonly string[] }> {
  const form = ["--raw", "--patch", "--no-renames", "--no-color", "--no-ext-diff", "--no-textconv"];
  const said = await runGitIn(worktree, ["diff", "--cached", ...form, base]);
  // The lines about files, a blank one, then the change itself.
  const end = said.search(/^[^:]/m);
  const files = said.slice(0, end === -1 ? undefined : end).split("\n");
  return { files, empty: said === "", diff: end === -1 ? "" : said.slice(end).trimStart() };
}

function isLink(line: string): boolean {
  return /^:\d+ 120000 /.test(line);
}

/** A symbolic link that leads out of the worktree: the code would be other code on every machine. */
class LinkOutside extends Error {
  override readonly name = "LinkOutside";
}

async function refuseLinksOut(worktree: string, base: string): Promise<void> {
  const form = ["--raw", "-z", "--no-renames", "--diff-filter=AMT"];
  const said = (await runGitIn(worktree, ["diff", "--cached", ...form, base])).split("\0");
  for (const [index, entry] of said.entries()) {
    if (!isLink(entry)) continue;
    const path = said[index + 1];
    const target = readlinkSync(join(worktree, path));
    const places = [resolve(dirname(join(worktree, path)), target), realOf(join(worktree, path))];
    if (!isAbsolute(target) && places.every((place) => isWithin(worktree, place))) continue;
    throw new LinkOutside(
      `${path} is a symbolic link to ${target}, out of the worktree: copy what is needed, or link inside`,
    );
  }
}

/** Where a link leads in the end, over other links; the link itself where that is nowhere. */
function realOf(path: string): string {
  try {
    // The other one takes `..` out of a link before it looks where that leads.
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

function isWithin(folder: string, path: string): boolean {
  return [folder, realOf(folder)].some((root) => {
    const inside = relative(root, path);
    return inside !== ".." && !inside.startsWith(`..${sep}`);
  });
}

/** Everything but our links; a step that was ended in the middle of its own git command leaves a lock on its worktree's index, which nobody holds. */
async function addAll(worktree: string, linked: readonly string[]): Promise<void> {
  const args = ["add", "--all", "--", ".", ...linked.map(leftOut)];
  try {
    await runGitIn(worktree, args);
  } catch (error) {
    if (!isLockError(error)) throw error;
    const lock = (await runGitIn(worktree, ["rev-parse", "--git-path", "index.lock"])).replace(/\n$/, "");
    rmSync(resolve(worktree, lock), { force: true });
    await runGitIn(worktree, args);
  }
}

/**
 * A pathspec that leaves this path out. It begins with a wildcard: git complains of an ignored path that it is given by
 * name, even to leave it out, and a link may be ignored (`.venv`) or not (`.venv/` is for folders).
 */
function leftOut(path: string): string {
  const [first, ...rest] = path;
  return `:(top,exclude,glob)[\\${first}]${rest.join("").replace(/[\\*?[]/g, "\\$&")}`;
}

/**
 * Commits what was taken into the worktree's index, on top of its base. Name, address and time are functions of the base alone, so that the same change
 * to the same commit is the same commit, in every run and on every machine.
 */
export async function commitChange(worktree: string, base: string, title: string): Promise<string> {
  const [tree, baseSeconds] = await Promise.all([runGitIn(worktree, ["write-tree"]), commitSeconds(worktree, base)]);
  const who = { name: "coppice", email: "coppice@localhost", date: `@${baseSeconds + 1} +0000` };
  const env = {
    GIT_AUTHOR_NAME: who.name,
    GIT_AUTHOR_EMAIL: who.email,
    GIT_AUTHOR_DATE: who.date,
    GIT_COMMITTER_NAME: who.name,
    GIT_COMMITTER_EMAIL: who.email,
    GIT_COMMITTER_DATE: who.date,
  };
  const commit = await runGitIn(worktree, ["commit-tree", tree.trim(), "-p", base], {
    env,
    input: `${oneLine(title)}\n`,
  });
  return commit.trim();
}

const knownSeconds = new Map<string, number>();

/** When a commit was made, in seconds since the epoch. Asked once: every idea of a node has the same base. */
async function commitSeconds(directory: string, commit: string): Promise<number> {
  const known = knownSeconds.get(commit);
  if (known !== undefined) return known;
  const seconds = Number((await runGitIn(directory, ["show", "--no-patch", "--format=%ct", commit])).trim());
  knownSeconds.set(commit, seconds);
  return seconds;
}

/** A text of the user's as one line: a file name may contain anything but a slash. */
function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return text.replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, " ").trim();
}
