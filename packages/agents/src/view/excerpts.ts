import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, resolve, sep } from "node:path";
import { citationsIn } from "../digest/citations.ts";

/** Lines around what is cited, citations that are shown, and the largest file that is looked at. */
const AROUND = 4;
const MOST_CITATIONS = 300;
const MOST_LINES = 40;
const MOST_LETTERS = 200;
const MOST_BYTES = 2_000_000;
/** Written when a run has ended. */
const RESULT = "result.json";

/** Lines of a file that somebody cited. */
export interface Excerpt {
  /** Number of the first line. */
  readonly first: number;
  readonly lines: readonly string[];
  /** The file was written after the run had ended. */
  readonly isChanged?: true;
}

interface CitedFile {
  readonly lines: readonly string[];
  readonly modifiedAt: number;
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
  const files = new Map<string, CitedFile | undefined>();
  const endedAt = lstatSync(resolve(directory, RESULT), { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
  let left = MOST_CITATIONS;
  for (const { text, path, from, to } of texts.flatMap(citationsIn)) {
    if (left === 0) break;
    if (Object.hasOwn(found, text)) continue;
    if (!files.has(path)) files.set(path, readCited(project, path));
    const file = files.get(path);
    if (file === undefined || from > file.lines.length) continue;
    left--;
    const { lines, modifiedAt } = file;
    const first = Math.max(1, from - AROUND);
    const last = Math.min(lines.length, to + AROUND, first + MOST_LINES);
    found[text] = {
      first,
      lines: lines.slice(first - 1, last).map((line) => line.slice(0, MOST_LETTERS)),
      ...(modifiedAt > endedAt ? { isChanged: true } : {}),
    };
  }
  return found;
}

function readCited(project: string, path: string): CitedFile | undefined {
  const file = resolve(project, path);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats?.isFile() !== true || stats.size > MOST_BYTES) return undefined;
  // A folder on the way may be a link.
  if (realpathSync(file) !== file || !file.startsWith(`${project}${sep}`)) return undefined;
  const bytes = readFileSync(file);
  if (bytes.includes(0)) return undefined;
  return { lines: bytes.toString("utf8").split(/\r?\n/), modifiedAt: stats.mtimeMs };
}
