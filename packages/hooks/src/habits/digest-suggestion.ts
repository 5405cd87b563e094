import { shellWord } from "@coppice/engine/child-process";
import { type Fields, parseFields } from "../json-fields.ts";
import { readTranscript, textOf } from "./transcript.ts";

/** A single read of more lines than this is worth a digest. */
const LARGE_LINES = 1000;
/** So are three reads in a row of at least this many. */
const BIG_LINES = 300;
const IN_A_ROW = 3;

interface Read {
  readonly id: unknown;
  readonly path: string;
  readonly lines: number;
}

/** The answer to an event of an agent, as text: a suggestion as context, or nothing. Never fails: it only suggests. */
export function answerToRead(eventText: string): string {
  const event = parseFields(eventText);
  const suggestion = event === undefined ? undefined : digestSuggestion(event);
  if (suggestion === undefined) return "";
  const hookEventName = typeof event?.hook_event_name === "string" ? event.hook_event_name : "PreToolUse";
  return `${JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: suggestion } })}\n`;
}

/** What to say to an agent that is about to read much; undefined when it is not. `input` is the hook's own. */
export function digestSuggestion(input: Fields): string | undefined {
  if (input.tool_name !== "Read") return undefined;
  const own = readOf(input.tool_input, input.tool_use_id);
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
  const files = [...new Set(reads.map(({ path }) => path))].map(shellWord).join(" ");
  return `If one question is all you have about them, ask it instead: coppice digest ${files} --question "…" reads each file elsewhere and returns short summaries with path:line citations.`;
}

/** The big reads at the end of the transcript with no other tool in between, oldest first. */
function readsInARow(transcript: unknown): readonly Read[] {
  const calls = readTranscript(transcript).flatMap((line) => (line.kind === "message" ? line.toolCalls : []));
  const row: Read[] = [];
  for (const call of calls.reverse()) {
    const read = call.name === "Read" ? readOf(call.input, call.id) : undefined;
    if (read === undefined || read.lines < BIG_LINES) break;
    row.unshift(read);
  }
  return row;
}

/** What a read call will bring: the file's lines from `offset` on, at most `limit`. */
function readOf(given: unknown, id: unknown): Read | undefined {
  const { file_path: path, offset, limit } = (given ?? {}) as Fields;
  if (typeof path !== "string") return undefined;
  const all = textOf(path)
    .replace(/(\r\n|\n|\r)$/, "")
    .split(/\r\n|\n|\r/).length;
  const left = Math.max(0, all - (typeof offset === "number" ? Math.max(0, offset - 1) : 0));
  return { id, path, lines: typeof limit === "number" ? Math.min(limit, left) : left };
}
