import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { isFolder } from "../files/if-there.ts";
import { parseBody } from "../journal/entry.ts";
import { readHistory } from "../journal/history.ts";
import { unseal } from "../journal/line.ts";
import { JournalDamaged } from "../journal/reader.ts";
import { UsageError } from "../usage-error.ts";
import { runningProcess } from "./lock.ts";
import { neverBegan } from "./open-run.ts";
import { resultProblem } from "./result-check.ts";
import { readResultFile } from "./result-file.ts";
import { JOURNAL_NAME, type RunFile, readRunFile } from "./run-file.ts";

/** In what state a run is. `cut off` ended without a word: killed, or the machine went down. */
type RunState = "done" | "running" | "interrupted" | "stopped" | "failed" | "cut off" | "damaged" | "unreadable";

/** One run in a list. */
export interface RunSummary {
  readonly id: string;
  readonly state: RunState;
  readonly tool?: string;
  readonly tells?: number;
  readonly digest?: string;
  readonly startedAt?: string;
  /** From the start to the last thing written, pauses included. */
  readonly tookMs?: number;
  /** What is wrong with it, or why it ended. */
  readonly message?: string;
}

/** Sums a run up from its directory. Of a finished run's journal only the ends are read: its result says it all. */
export function summarizeRun(directory: string, id: string): RunSummary {
  let file: RunFile;
  try {
    file = readRunFile(directory);
  } catch (error) {
    if (error instanceof UsageError) return { id, state: "unreadable", message: error.message };
    throw error;
  }
  const journal = join(directory, JOURNAL_NAME);
  const begun = { id, tool: file.tool, startedAt: file.createdAt };
  if (isFolder(journal)) return { ...begun, state: "damaged", message: `${journal} is a directory` };
  const known = { ...begun, ...took(journal, file.createdAt) };
  if (runningProcess(directory) !== undefined) return { ...known, state: "running", ...tellsSoFar(journal) };
  try {
    const result = readResultFile(directory);
    if (result !== undefined) {
      const problem = resultProblem(directory, JOURNAL_NAME, result, "ends");
      if (problem !== undefined) return { ...known, state: "damaged", message: problem.message };
      return { ...known, state: "done", tells: result.tells, digest: result.digest };
    }
  } catch (error) {
    if (error instanceof UsageError) return { ...known, state: "damaged", message: error.message };
    throw error;
  }
  if (neverBegan(directory)) return { ...known, state: "cut off", tells: 0 };
  return { ...known, ...stateIn(journal) };
}

function stateIn(journal: string): Pick<RunSummary, "state" | "tells" | "message"> {
  if (!existsSync(journal)) return { state: "unreadable", message: `there is no ${JOURNAL_NAME}` };
  try {
    const { end, successes, failures } = readHistory(journal);
    const outcomes = successes.size + failures.size;
    if (end === undefined) return { state: "cut off", tells: outcomes };
    if (end.event === "finished") return { state: "done", tells: end.tells };
    return { state: end.event === "error" ? "failed" : end.event, tells: end.tells, message: end.message };
  } catch (error) {
    if (error instanceof JournalDamaged) return { state: "damaged", message: error.message };
    throw error;
  }
}

function tellsSoFar(journal: string): Pick<RunSummary, "tells"> {
  const { tells } = stateIn(journal);
  return tells === undefined ? {} : { tells };
}

function took(journal: string, createdAt: string): Pick<RunSummary, "tookMs"> {
  const at = existsSync(journal) ? lastWrittenAt(journal) : undefined;
  return at === undefined ? {} : { tookMs: Math.max(0, at - Date.parse(createdAt)) };
}

/** How much of a journal's end is looked through for a whole line: first a little, as most lines are short. */
const TAIL_BYTES = [1 << 12, 1 << 18, 1 << 24];
const NEWLINE = 0x0a;

/** When the last whole line was written, as it says itself: a copy of a file has a time of its own. */
function lastWrittenAt(journal: string): number | undefined {
  const fd = openSync(journal, "r");
  try {
    const { size } = fstatSync(fd);
    for (const bytes of TAIL_BYTES) {
      const start = Math.max(0, size - bytes);
      const tail = Buffer.alloc(size - start);
      readSync(fd, tail, 0, tail.length, start);
      for (let end = tail.lastIndexOf(NEWLINE); end > 0; ) {
        const before = tail.lastIndexOf(NEWLINE, end - 1);
        const opened = unseal(tail.subarray(before + 1, end));
        if (opened.ok) return parseBody(opened.body).at;
        end = before;
      }
      if (start === 0) return undefined;
    }
    return undefined;
  } finally {
    closeSync(fd);
  }
}
