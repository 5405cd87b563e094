import { copyFileSync, existsSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { runGitIn } from "./run-git.ts";

/**
 * Checks the submodules of a worktree out, from what the user's own checkout has of them: nothing is fetched. One that
 * the user never initialised is left empty, as it is there.
 */
export async function fillSubmodules(worktree: string, gitDirectory: string, signal?: AbortSignal): Promise<void> {
  if (!existsSync(join(worktree, ".gitmodules"))) return;
  const known = (await submodules(worktree)).filter(({ name }) => existsSync(join(gitDirectory, "modules", name)));
  // One that is named but is not in the commit is nothing to check out.
  const links = await linksIn(worktree, known);
  const names = known.filter(({ path }) => links.has(path));
  for (const { name, path } of names) {
    const modules = join(gitDirectory, "modules", name);
    // The user's own copy stands in for the address: no network, and the same commit as it was checked out there.
    const from = ["-c", "protocol.file.allow=always", "-c", `submodule.${name}.url=${modules}`];
    const update = ["submodule", "--quiet", "update", "--no-recommend-shallow", "--", path];
    await runGitIn(worktree, [...from, ...update], { ...(signal !== undefined && { signal }) });
    await fillSubmodules(join(worktree, path), modules, signal);
  }
}

/**
 * What the submodules of a worktree hold, committed there or not, by their paths: each as the id of its files, and what
 * those within it hold. A commit of the worktree has none of it.
 */
export async function submoduleContents(worktree: string): Promise<ReadonlyMap<string, string>> {
  if (!existsSync(join(worktree, ".gitmodules"))) return new Map();
  return contentsOf(worktree, await linksIn(worktree, await submodules(worktree)));
}

/**
 * The first submodule that is no longer as it was, with what is different there; one that was removed is not there. One that
 * was empty may be filled with its own commit: a build does that.
 */
export async function changedSubmodule(
  worktree: string,
  before: ReadonlyMap<string, string>,
): Promise<{ readonly path: string; readonly files: readonly string[] } | undefined> {
  const known = [...before.keys()].map((path) => ({ path }));
  const links = await linksIn(worktree, known);
  for (const [path, content] of await contentsOf(worktree, links)) {
    const had = before.get(path) ?? "";
    if (content === had) continue;
    if (had === "" && (await isAsCommitted(join(worktree, path), content, links.get(path)))) continue;
    const trees = [had, content].map((each) => each.split("\n")[0]);
    const areTrees = trees.every((tree) => TREE.test(tree)) && existsSync(join(worktree, path, ".git"));
    const diff = ["diff", "--name-only", "-z", ...trees];
    const names = areTrees ? (await runGitIn(join(worktree, path), diff)).split("\0").filter(Boolean) : [];
    return { path, files: names };
  }
  return undefined;
}

const TREE = /^[0-9a-f]{40,64}$/;

async function contentsOf(worktree: string, links: Links): Promise<ReadonlyMap<string, string>> {
  const contents = new Map<string, string>();
  for (const path of links.keys()) contents.set(path, await contentOf(join(worktree, path)));
  return contents;
}

/** Whether a submodule holds what its commit does, and those within it nothing or what theirs do. */
async function isAsCommitted(folder: string, content: string, commit: string | undefined): Promise<boolean> {
  const [tree, ...within] = content.split("\n");
  if (!TREE.test(tree) || commit === undefined) return false;
  const committed = await runGitIn(folder, ["rev-parse", "--revs-only", `${commit}^{tree}`]);
  if (committed.trim() !== tree) return false;
  if (within.length === 0) return true;
  const paths = [...(await submoduleContents(folder)).keys()];
  return (await changedSubmodule(folder, new Map(paths.map((path) => [path, ""])))) === undefined;
}

async function contentOf(folder: string): Promise<string> {
  // One that was never initialised is an empty folder.
  if (!existsSync(join(folder, ".git")))
    return existsSync(folder) ? readdirSync(folder, { recursive: true }).sort().join("\n") : "";
  const index = resolve(folder, (await runGitIn(folder, ["rev-parse", "--git-path", "index"])).replace(/\n$/, ""));
  // Its own index stays as it is; a copy knows already which files are unchanged.
  const copy = `${index}.coppice`;
  if (existsSync(index)) copyFileSync(index, copy);
  try {
    const env = { GIT_INDEX_FILE: copy };
    await runGitIn(folder, ["add", "--all"], { env });
    const tree = (await runGitIn(folder, ["write-tree"], { env })).trim();
    return [tree, ...[...(await submoduleContents(folder))].flat()].join("\n");
  } finally {
    rmSync(copy, { force: true });
  }
}

/** The submodules that `.gitmodules` names, by name and path. */
async function submodules(worktree: string): Promise<readonly { readonly name: string; readonly path: string }[]> {
  const keys = ["config", "--null", "--file", ".gitmodules", "--get-regexp", String.raw`^submodule\..*\.path$`];
  return (await runGitIn(worktree, keys)).split("\0").flatMap((entry) => {
    const [key = "", path = ""] = entry.split("\n");
    return path === "" ? [] : [{ name: key.slice("submodule.".length, -".path".length), path }];
  });
}

/** The commits of submodules by their paths. */
type Links = ReadonlyMap<string, string>;

/** Those of the paths at which the commit has a submodule. */
async function linksIn(worktree: string, known: readonly { readonly path: string }[]): Promise<Links> {
  if (known.length === 0) return new Map();
  const paths = known.map(({ path }) => `:(top,literal)${path}`);
  const listed = await runGitIn(worktree, ["ls-files", "-z", "--stage", "--", ...paths]);
  return new Map(
    listed.split("\0").flatMap((entry) => {
      const [, commit = "", path = ""] = /^160000 (\w+) \d\t([\s\S]*)$/.exec(entry) ?? [];
      return path === "" ? [] : [[path, commit] as const];
    }),
  );
}
