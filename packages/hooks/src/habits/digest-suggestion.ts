import { readFileSync } from "node:fs";
import { type Fields, parseLine } from "./transcript.ts";

/** A single read of more lines than this is worth a digest. */
const LARGE_LINES = 1000;
/** So are three reads in a row of at least this many. */
const BIG_LINES = 300;
const IN_A_ROW = 3;

interface Read {
  readonly id: string | undefined;
  readonly path: string;
  readonly lines: number;
}

/** What to say to an agent that is about to read much; undefined when it is not. `input` is the hook's own. */
export function digestSuggestion(input: Fields): string | undefined {
  if (input.tool_name !== "Read") return undefined;
  const own = readOf(input.tool_input, typeof input.tool_use_id === "string" ? input.tool_use_id : undefined);
  if (own === undefined) return undefined;
  if (own.lines > LARGE_LINES) {
    return `${own.path} has ${own.lines} lines to read. ${advice([own])}`;
  }
  if (own.lines < BIG_LINES) return undefined;
  const before = readsInARow(input.transcript_path).filter(({ id }) => id === undefined || id !== own.id);
  const row = [...before, own];
  if (row.length < IN_A_ROW) return undefined;
  const lines = row.reduce((sum, read) => sum + read.lines, 0);
  return `${row.length} big files in a row, ${lines} lines in all. ${advice(row)}`;
}

function advice(reads: readonly Read[]): string {
  const files = [...new Set(reads.map(({ path }) => path))].map(quoted).join(" ");
  return `If one question is all you have about them, ask it instead: coppice digest ${files} --question "…" reads each file elsewhere and returns short summaries with path:line citations.`;
}

/** The big reads at the end of the transcript with no other tool in between, oldest first. */
function readsInARow(path: unknown): Read[] {
  const row: Read[] = [];
  for (const call of toolCalls(path).reverse()) {
    const read =
      call.name === "Read" ? readOf(call.input, typeof call.id === "string" ? call.id : undefined) : undefined;
    if (read === undefined || read.lines < BIG_LINES) break;
    row.unshift(read);
  }
  return row;
}

function toolCalls(path: unknown): Fields[] {
  if (typeof path !== "string") return [];
  const entries = textOf(path).split("\n").map(parseLine);
  return entries.flatMap((entry) => {
    if (entry?.type !== "assistant" || entry.isSidechain === true) return [];
    const content = (entry.message as Fields | undefined)?.content;
    return Array.isArray(content) ? content.filter((block: Fields) => block?.type === "tool_use") : [];
  });
}

/** What a read call will bring: the file's lines from `offset` on, at most `limit`. */
function readOf(given: unknown, id: string | undefined): Read | undefined {
  const { file_path: path, offset, limit } = (given ?? {}) as Fields;
  if (typeof path !== "string") return undefined;
  const all = textOf(path)
    .replace(/(\r\n|\n|\r)$/, "")
    .split(/\r\n|\n|\r/).length;
  const left = Math.max(0, all - (typeof offset === "number" ? Math.max(0, offset - 1) : 0));
  return { id, path, lines: typeof limit === "number" ? Math.min(limit, left) : left };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function quoted(path: string): string {
  return /^[\w./@%+,-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
