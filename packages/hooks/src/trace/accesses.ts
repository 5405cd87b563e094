import { statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type { Touches } from "../settings/hook.ts";
import { gitPartOf, globsOverlap, isGlob, type ResourceRoots } from "../staging/resource.ts";

/** What a hook and everything it started did to files and hosts, by absolute path. */
export interface Accesses {
  /** Files whose content, presence or size was looked at. */
  readonly reads: Set<string>;
  /** Looked for and not there: matters only if someone else makes them. */
  readonly misses: Set<string>;
  readonly writes: Set<string>;
  /** Directories whose entries were listed. */
  readonly listed: Set<string>;
  /** Opened so that they are made if absent: their own if they are gone afterwards. */
  readonly made: Set<string>;
  readonly executed: Set<string>;
  /** Addresses that were connected to. */
  readonly hosts: Set<string>;
}

export function noAccesses(): Accesses {
  return {
    reads: new Set(),
    misses: new Set(),
    writes: new Set(),
    listed: new Set(),
    made: new Set(),
    executed: new Set(),
    hosts: new Set(),
  };
}

/** Where resources are looked for, and what of them belongs to the hook itself. */
export interface TraceRoots extends ResourceRoots {
  readonly session: string;
  /** The hook's own code, and the directories that interpreters list to find it: reading these makes nothing depend on them. */
  readonly code: ReadonlySet<string>;
}

/** More entries than this in one directory are proposed as a pattern. */
const MANY = 8;

/** Directories nobody means when they declare what a hook reads. */
const MACHINERY = /(?:^|\/)(?:node_modules|__pycache__|\.coppice|site-packages|\.cache)(?:\/|$)/;

/**
 * Turns raw accesses into resources: only what lies in the project or the home directory, the hook's own code and
 * temporary files left out, `.git` by its parts, the session's id as `{session}`, many files of a directory as one
 * pattern. Looking for a missing file is a read, too, if it is the project's or `written` by any hook.
 */
export function toResources(accesses: Accesses, roots: TraceRoots, written: ReadonlySet<string>): Touches {
  const isTemporary = (path: string): boolean => accesses.made.has(path) && kindOf(path) === "nothing";
  const writes = [...accesses.writes].filter((path) => !isTemporary(path) && kindOf(path) !== "directory");
  const reads = [
    ...[...accesses.reads].filter((path) => kindOf(path) === "file" || writes.includes(path)),
    ...[...accesses.misses].filter((path) => written.has(path) || isLookedFor(path, roots)),
  ].filter((path) => !roots.code.has(path) && !accesses.executed.has(path));
  const listings = [...accesses.listed]
    .filter((path) => !roots.code.has(path) && isInside(path, roots) && !inGit(path, roots) && !MACHINERY.test(path))
    .map((path) => nameOf(join(path, "*"), roots));
  const hosts = [...accesses.hosts].map((host) => `net:${host}`);
  return {
    reads: tidy([...resourcesOf(reads, roots), ...listings]),
    writes: tidy([...resourcesOf(writes, roots), ...hosts]),
  };
}

/** A file that is not there yet but belongs to the project or the agent, as opposed to what runtimes try on their way. */
function isLookedFor(path: string, roots: TraceRoots): boolean {
  const agent = join(roots.home, ".claude") + sep;
  const near = path.startsWith(roots.projectDir + sep) || path.startsWith(agent);
  return near && !inGit(path, roots) && !/\/(?:package\.json|[^/]*\.(?:pyc|so|mjs|cjs)|\.git[^/]*)$/.test(path);
}

function resourcesOf(paths: readonly string[], roots: TraceRoots): readonly string[] {
  const wanted = paths.filter((path) => !roots.code.has(path) && isInside(path, roots) && !MACHINERY.test(path));
  const plain = wanted.filter((path) => !inGit(path, roots));
  const git = wanted.filter((path) => inGit(path, roots)).flatMap((path) => gitPart(path, roots));
  return [...collapse(plain, roots), ...git];
}

/** One name per directory when too many of its files were touched; when that is everywhere, the project, and each folder of the home directory. */
function collapse(paths: readonly string[], roots: TraceRoots): readonly string[] {
  const everywhere = (path: string) => {
    if (inProject(path, roots)) return "**";
    const [folder, ...below] = relative(roots.home, path).split(sep);
    return below.length === 0 ? `~/${folder}` : `~/${folder}/**`;
  };
  return [...Map.groupBy(new Set(paths), (path) => inProject(path, roots)).values()].flatMap((found) => {
    const byDirectory = Map.groupBy(found, (path) => dirname(path));
    if (byDirectory.size > MANY) return found.map(everywhere);
    return [...byDirectory].flatMap(([directory, files]) => {
      const named = files.length > MANY ? [join(directory, "*")] : files;
      return named.map((path) => nameOf(path, roots));
    });
  });
}

/** The part of the repository a path stands for, if it is one that hooks have in common. */
function gitPart(path: string, roots: TraceRoots): readonly string[] {
  const inside = relative(join(roots.projectDir, ".git"), path);
  const part = gitPartOf(inside);
  return ["index", "objects", "HEAD", "config"].includes(part) ? [`git:${part}`] : [];
}

function inGit(path: string, { projectDir }: TraceRoots): boolean {
  return path.startsWith(join(projectDir, ".git") + sep) || path === join(projectDir, ".git");
}

function isInside(path: string, { projectDir, home }: TraceRoots): boolean {
  return inProject(path, { projectDir }) || path.startsWith(home + sep);
}

function inProject(path: string, { projectDir }: Pick<TraceRoots, "projectDir">): boolean {
  return path.startsWith(projectDir + sep) || path === projectDir;
}

/** As people write it: relative to the project, or from `~`. */
function nameOf(path: string, { projectDir, home, session }: TraceRoots): string {
  const inside = path.startsWith(projectDir + sep);
  const name = inside ? relative(projectDir, path) : `~/${relative(home, path)}`;
  // Alone, a star would mean everything there is.
  if (name === "*") return "./*";
  return session === "" ? name : name.replaceAll(session, "{session}");
}

/** Each name once, without those a pattern beside them already stands for. */
function tidy(names: readonly string[]): readonly string[] {
  const all = [...new Set(names)].sort();
  const patterns = all.filter((name) => isGlob(name)).map((name) => name.replace(/^\.\//, ""));
  const whole = all.filter((name) => name.startsWith("~/") && name.endsWith("/**")).map((name) => name.slice(0, -2));
  return all.filter(
    (name) =>
      !whole.some((folder) => name.startsWith(folder) && name !== `${folder}**`) &&
      (isGlob(name) || /^\w+:/.test(name) || !patterns.some((pattern) => globsOverlap(pattern, name))),
  );
}

function kindOf(path: string): "file" | "directory" | "nothing" {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? "nothing" : stat.isDirectory() ? "directory" : "file";
}
