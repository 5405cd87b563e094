import { isAbsolute, join, normalize, sep } from "node:path";
import { globsOverlap, isGlob } from "./glob-overlap.ts";

/** What relative paths and `~` in declarations mean. */
export interface ResourceRoots {
  readonly projectDir: string;
  readonly home: string;
}

/** Everything: what an undeclared hook is taken to read and write. */
export const EVERYTHING = "*";

/**
 * One spelling per resource: absolute paths for files, `git:…` for what lies in the project's `.git`, other
 * `scheme:key` texts as they are. `dir/` means everything below `dir`.
 */
export function normaliseResource(text: string, roots: ResourceRoots): string {
  const trimmed = text.trim();
  if (trimmed === EVERYTHING) return EVERYTHING;
  if (/^[a-z][a-z\d+-]+:/.test(trimmed)) return trimmed;
  const expanded = trimmed
    .replace(/^~(?=\/|$)/, roots.home)
    .replace(/^\$(?:HOME\b|\{HOME\})/, roots.home)
    .replace(/^"?\$(?:CLAUDE_PROJECT_DIR\b|\{CLAUDE_PROJECT_DIR\})"?/, roots.projectDir);
  const below = expanded.endsWith("/") ? `${expanded}**` : expanded;
  const path = normalize(isAbsolute(below) ? below : join(roots.projectDir, below));
  const git = join(roots.projectDir, ".git") + sep;
  return path.startsWith(git) ? `git:${path.slice(git.length)}` : path;
}

/** Whether touching one resource may touch the other; both must be normalised. */
export function resourcesOverlap(a: string, b: string): boolean {
  if (a === EVERYTHING || b === EVERYTHING) return true;
  return a === b || ((isGlob(a) || isGlob(b)) && globsOverlap(a, b));
}
