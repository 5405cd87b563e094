import { globSync, statSync } from "node:fs";
import { UsageError } from "@coppice/engine";

/** Never meant by a pattern that happens to cover them. */
const LEFT_OUT = new Set(["node_modules", ".git"]);

/** The files that globs name, each once, in the order of their names whatever the file system says. */
export function filesOf(globs: readonly string[]): string[] {
  const files = globs.flatMap((glob) => {
    const found = globSync(glob, { exclude: (path) => path.split("/").some((part) => LEFT_OUT.has(part)) }).filter(
      (path) => !statSync(path).isDirectory(),
    );
    if (found.length === 0) throw new UsageError(`no file matches ${JSON.stringify(glob)}`);
    return found;
  });
  return [...new Set(files)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}
