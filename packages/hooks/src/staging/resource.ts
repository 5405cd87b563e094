import { lstatSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, normalize, sep } from "node:path";
import { knownAgents } from "../agent/known-agents.ts";

const VARIABLES = knownAgents.map(({ projectVariable }) => projectVariable).join("|");
/** The project at the beginning of a path, as agents' hooks write it. */
const PROJECT = new RegExp(`^"?\\$(?:(?:${VARIABLES})\\b|\\{(?:${VARIABLES})\\})"?`);

/** What relative paths and `~` in declarations mean. */
export interface ResourceRoots {
  readonly projectDir: string;
  readonly home: string;
}

/** Everything: what an undeclared hook is taken to read and write. */
const EVERYTHING = "*";

/**
 * One spelling per resource: absolute paths for files and for `git:…`, which lies in the project's `.git`; other
 * `scheme:key` texts as they are. `dir/` means everything below `dir`, and `{session}` any session's id.
 */
export function normaliseResource(text: string, roots: ResourceRoots): string {
  const trimmed = text.trim();
  if (trimmed === EVERYTHING) return EVERYTHING;
  if (/^[a-z][a-z\d+-]+:/.test(trimmed) && !trimmed.startsWith("git:")) return trimmed;
  // Most are plain paths, and this is done for every resource before the first hook can start.
  const expanded = /^(?:git:|[~$"])|\{/.test(trimmed) ? expand(trimmed, roots) : trimmed;
  const below = expanded.endsWith("/") ? `${expanded}**` : expanded;
  const path = normalize(isAbsolute(below) ? below : join(roots.projectDir, below));
  const git = join(roots.projectDir, ".git") + sep;
  return path.startsWith(git) ? git + gitPartOf(path.slice(git.length)) : path;
}

function expand(text: string, roots: ResourceRoots): string {
  return text
    .replace(/^git:/, ".git/")
    .replaceAll("{session}", "*")
    .replace(/^~(?=\/|$)/, roots.home)
    .replace(/^\$(?:HOME\b|\{HOME\})/, roots.home)
    .replace(PROJECT, roots.projectDir);
}

/** The part of a repository that a file in `.git` stands for; lock and temporary files stand for what they become. */
export function gitPartOf(inside: string): string {
  if (/^index/.test(inside)) return "index";
  if (/^(?:HEAD|ORIG_HEAD|FETCH_HEAD|COMMIT_EDITMSG|refs|logs|packed-refs)/.test(inside)) return "HEAD";
  return /^(?:objects|config)/.exec(inside)?.[0] ?? inside;
}

/** Follows symbolic links: one file by whatever name. Every directory is looked at once; what is not there stays as written. */
export function linkFollower(): (path: string) => string {
  const known = new Map<string, string>();
  const follow = (path: string): string => {
    const found = known.get(path);
    if (found !== undefined) return found;
    const above = dirname(path);
    const plain =
      above === path
        ? path
        : join(isAbsolute(path) ? follow(above) : above, path.slice(above.length).replace(/^\//, ""));
    const followed = isGlob(path) || !isLink(plain) ? plain : target(plain);
    known.set(path, followed);
    return followed;
  };
  return (path) => (isAbsolute(path) ? follow(path) : path);
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch {
    return false;
  }
}

function target(link: string): string {
  try {
    return realpathSync(link);
  } catch {
    return link;
  }
}

/** Whether touching one resource may touch the other; both must be normalised. */
export function resourcesOverlap(a: string, b: string): boolean {
  return a === EVERYTHING || b === EVERYTHING || isBelow(a, b) || isBelow(b, a) || globsOverlap(a, b);
}

/** Whoever touches a directory touches what is in it, also when nobody wrote the `/` behind its name. */
function isBelow(path: string, directory: string): boolean {
  // What is cheapest to ask comes first: this runs for every pair of hooks before the first of them can start.
  return path.startsWith(directory) && path[directory.length] === sep && isAbsolute(directory) && !isGlob(directory);
}

/**
 * Whether some path matches both globs. `**` stands for any number of segments, `*` and `?` stay within one;
 * a class such as `[ab]` is taken for any character, so the answer may be a false yes, never a false no.
 */
export function globsOverlap(a: string, b: string): boolean {
  const [plainA, plainB] = [plainPart(a), plainPart(b)];
  if (plainA === a && plainB === b) return a === b;
  if (!plainA.startsWith(plainB) && !plainB.startsWith(plainA)) return false;
  return sequencesOverlap(a.split("/"), b.split("/"), (segment) => segment === "**", segmentsOverlap);
}

/** What stands before the first wildcard. */
function plainPart(text: string): string {
  const wild = text.search(/[*?[]/);
  return wild < 0 ? text : text.slice(0, wild);
}

/** True when the text holds a wildcard. */
export function isGlob(text: string): boolean {
  return /[*?[]/.test(text);
}

function segmentsOverlap(a: string, b: string): boolean {
  if (!isGlob(a) && !isGlob(b)) return a === b;
  return sequencesOverlap(
    characters(a),
    characters(b),
    (character) => character === "*",
    (x, y) => x === y || x === "?" || y === "?",
  );
}

function characters(segment: string): readonly string[] {
  return [...segment.replace(/\[[^\]]*\]/g, "?").replace(/\*+/g, "*")];
}

/** Whether two sequences with gaps (elements that stand for any run of elements) have a common reading. */
function sequencesOverlap<Item>(
  a: readonly Item[],
  b: readonly Item[],
  isGap: (item: Item) => boolean,
  meet: (x: Item, y: Item) => boolean,
): boolean {
  // reachable[j]: the part of `a` read so far and b[0..j) have a common reading.
  let reachable: boolean[] = [true];
  for (let j = 0; j < b.length; j++) reachable.push(reachable[j] && isGap(b[j]));
  for (const x of a) {
    const next: boolean[] = [isGap(x) && reachable[0]];
    for (let j = 0; j < b.length; j++) {
      const y = b[j];
      const byGap = (isGap(x) && (reachable[j + 1] || next[j])) || (isGap(y) && (next[j] || reachable[j + 1]));
      next.push(byGap || (!isGap(x) && !isGap(y) && reachable[j] && meet(x, y)));
    }
    reachable = next;
  }
  return reachable[b.length];
}
