import { execFile } from "node:child_process";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { promisify } from "node:util";

export interface CodeFound {
  /** `path:line: text`, in the order of paths. */
  readonly lines: readonly string[];
  readonly files: number;
}

const MAX_LINES = 10;
const MAX_FILES = 20_000;
const MAX_BYTES = 1_000_000;
const LINE_SHOWN = 160;
const skipped = new Set(["node_modules", "dist", "build", "target", "vendor", "coverage"]);

/** The first lines of a project that hold one of the terms, whatever their case. Hidden and binary files are left out. */
export async function searchCode(directory: string, terms: readonly string[], signal: AbortSignal): Promise<CodeFound> {
  const wanted = terms.map((term) => term.toLowerCase());
  const files = await projectFiles(directory, signal);
  const lines: string[] = [];
  let matching = 0;
  for (const path of files) {
    signal.throwIfAborted();
    const found = matchesIn(await textOf(directory, path), wanted);
    if (found.length > 0) matching++;
    for (const { line, text } of found) {
      if (lines.length < MAX_LINES) lines.push(`${path}:${line}: ${text.trim().slice(0, LINE_SHOWN)}`);
    }
    if (lines.length >= MAX_LINES) break;
  }
  return { lines, files: matching };
}

function matchesIn(content: string, wanted: readonly string[]): { readonly line: number; readonly text: string }[] {
  if (!wanted.some((term) => content.toLowerCase().includes(term))) return [];
  return content
    .split("\n")
    .map((text, i) => ({ line: i + 1, text }))
    .filter(({ text }) => wanted.some((term) => text.toLowerCase().includes(term)));
}

/** A file of the project. A link that leads out of it is not followed: what is found is sent to a model. */
async function textOf(directory: string, name: string): Promise<string> {
  try {
    const path = await realpath(join(directory, name));
    const found = await stat(path);
    const within = path.startsWith(join(await realpath(directory), sep));
    if (!within || !found.isFile() || found.size > MAX_BYTES || isLeftOut(relative(await realpath(directory), path)))
      return "";
    const bytes = await readFile(path);
    return bytes.subarray(0, 8000).includes(0) ? "" : bytes.toString("utf8");
  } catch {
    return "";
  }
}

/** Paths below the directory, sorted: what git tracks, or every file outside of hidden and generated directories. */
async function projectFiles(directory: string, signal: AbortSignal): Promise<string[]> {
  const tracked = await trackedFiles(directory, signal);
  const paths = tracked ?? (await walked(directory, directory, signal));
  return paths
    .filter((path) => !isLeftOut(path))
    .sort()
    .slice(0, MAX_FILES);
}

/** Hidden, or in a directory of what others wrote. */
function isLeftOut(path: string): boolean {
  return path.split(/[/\\]/).some((part) => part.startsWith(".") || skipped.has(part));
}

async function trackedFiles(directory: string, signal: AbortSignal): Promise<string[] | undefined> {
  try {
    const options = { cwd: directory, maxBuffer: 64 * 1024 * 1024, signal };
    const { stdout } = await promisify(execFile)("git", ["-c", "core.fsmonitor=false", "ls-files", "-z"], options);
    const paths = stdout.split("\0").filter((path) => path !== "");
    return paths.length === 0 ? undefined : paths;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

async function walked(root: string, directory: string, signal: AbortSignal): Promise<string[]> {
  signal.throwIfAborted();
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const found: string[] = [];
  for (const entry of entries) {
    const path = join(directory, entry.name);
    if (entry.name.startsWith(".") || skipped.has(entry.name)) continue;
    if (entry.isDirectory()) found.push(...(await walked(root, path, signal)));
    else if (entry.isFile()) found.push(relative(root, path).split(sep).join("/"));
    if (found.length >= MAX_FILES) break;
  }
  return found;
}
