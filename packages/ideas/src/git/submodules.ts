import { existsSync } from "node:fs";
import { join } from "node:path";
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

/** The submodules that `.gitmodules` names, by name and path. */
async function submodules(worktree: string): Promise<readonly { readonly name: string; readonly path: string }[]> {
  const keys = ["config", "--null", "--file", ".gitmodules", "--get-regexp", String.raw`^submodule\..*\.path$`];
  return (await runGitIn(worktree, keys)).split("\0").flatMap((entry) => {
    const [key = "", path = ""] = entry.split("\n");
    return path === "" ? [] : [{ name: key.slice("submodule.".length, -".path".length), path }];
  });
}

/** Those of the paths at which the commit has a submodule. */
async function linksIn(worktree: string, known: readonly { readonly path: string }[]): Promise<ReadonlySet<string>> {
  if (known.length === 0) return new Set();
  const paths = known.map(({ path }) => `:(top,literal)${path}`);
  const listed = await runGitIn(worktree, ["ls-files", "-z", "--stage", "--", ...paths]);
  return new Set(listed.split("\0").flatMap((entry) => (entry.startsWith("160000 ") ? [entry.split("\t")[1]] : [])));
}
