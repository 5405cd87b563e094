import { existsSync } from "node:fs";
import { join } from "node:path";
import { isFolder } from "../files/if-there.ts";
import { readHistory } from "../journal/history.ts";
import { lastEntry } from "../journal/last-entry.ts";
import { JournalDamaged } from "../journal/reader.ts";
import { UsageError } from "../usage-error.ts";
import { runningProcess } from "./lock.ts";
import { neverBegan } from "./open-run.ts";
import { resultProblem } from "./result-check.ts";
import { readResultFile } from "./result-file.ts";
import { JOURNAL_NAME, type RunFile, readRunFile } from "./run-file.ts";

/** In what state a run is. `cut off` ended without a word: killed, or the machine went down. */
type ListedState = "done" | "running" | "interrupted" | "stopped" | "failed" | "cut off" | "damaged" | "unreadable";

/** One run in a list. */
export interface RunSummary {
  readonly id: string;
  readonly state: ListedState;
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
  // As the last whole line says itself: a copy of a file has a time of its own.
  const at = existsSync(journal) ? lastEntry(journal)?.at : undefined;
  return at === undefined ? {} : { tookMs: Math.max(0, at - Date.parse(createdAt)) };
}
