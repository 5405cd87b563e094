import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, resolve, sep } from "node:path";
import { citationsIn } from "../digest/citations.ts";

/** Lines around what is cited, citations that are shown, and the largest file that is looked at. */
const AROUND = 4;
const MOST_CITATIONS = 300;
const MOST_LINES = 40;
const MOST_LETTERS = 200;
const MOST_BYTES = 2_000_000;

/** Lines of a file that somebody cited. */
export interface Excerpt {
  /** Number of the first line. */
  readonly first: number;
  readonly lines: readonly string[];
}

/**
 * What is cited in texts (`src/a.ts:12-30`), as its file has it now: files of the project that the run is kept in, and
 * nothing that a link leads to. A run that is kept elsewhere has none.
 */
export function excerptsOf(texts: readonly string[], directory: string): Readonly<Record<string, Excerpt>> {
  const runs = dirname(resolve(directory));
  if (basename(dirname(runs)) !== ".coppice") return {};
  const project = realpathSync(resolve(runs, "../.."));
  const found: Record<string, Excerpt> = {};
  const files = new Map<string, readonly string[] | undefined>();
  let left = MOST_CITATIONS;
  for (const { text, path, from, to } of texts.flatMap(citationsIn)) {
    if (left === 0) break;
    if (Object.hasOwn(found, text)) continue;
    if (!files.has(path)) files.set(path, linesOf(project, path));
    const lines = files.get(path);
    if (lines === undefined || from > lines.length) continue;
    left--;
    const first = Math.max(1, from - AROUND);
    const last = Math.min(lines.length, to + AROUND, first + MOST_LINES);
    found[text] = { first, lines: lines.slice(first - 1, last).map((line) => line.slice(0, MOST_LETTERS)) };
  }
  return found;
}

function linesOf(project: string, path: string): readonly string[] | undefined {
  const file = resolve(project, path);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats?.isFile() !== true || stats.size > MOST_BYTES) return undefined;
  // A folder on the way may be a link.
  if (realpathSync(file) !== file || !file.startsWith(`${project}${sep}`)) return undefined;
  const bytes = readFileSync(file);
  return bytes.includes(0) ? undefined : bytes.toString("utf8").split(/\r?\n/);
}
