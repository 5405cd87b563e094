import { appendFileSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";

/**
 * Adds a folder inside the repository to `.git/info/exclude`, once, so that a run never makes its own repository dirty.
 * A folder outside needs nothing. Returns whether the line was added.
 */
export function excludeFolder(repositoryRoot: string, gitDirectory: string, folder: string): boolean {
  const inside = relative(repositoryRoot, realpathSync(folder));
  if (inside === "" || inside === ".." || inside.startsWith(`..${sep}`)) return false;
  const line = `/${escapePattern(inside.split(sep).join("/"))}/`;
  const path = join(gitDirectory, "info", "exclude");
  const before = readIfThere(path);
  if (before.split(/\r?\n/).includes(line)) return false;
  mkdirSync(join(gitDirectory, "info"), { recursive: true });
  appendFileSync(path, `${before === "" || before.endsWith("\n") ? "" : "\n"}${line}\n`);
  return true;
}

/** What the pattern language would read as something else: wildcards, escapes, blanks at the end. */
function escapePattern(path: string): string {
  return path.replace(/[\\*?[\]]/g, "\\$&").replace(/ +$/, (blanks) => "\\ ".repeat(blanks.length));
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
