import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AskRecord, AskResult, EarlierAsk } from "@coppice/agents/ask";
import { findRun, readResultFile, readRunFile, runIds } from "@coppice/engine/records";
import { UsageError } from "@coppice/engine/usage-error";

interface FollowUp {
  readonly earlier: EarlierAsk | undefined;
  /** The question that was typed. */
  readonly typed: string | undefined;
}

/**
 * What `--continue [run]` goes on from, and the question. Commander takes whatever follows the option for its value: what
 * is not the name of a run is the question.
 */
export function earlierAsk(given: string | true | undefined, argument: string | undefined, runs: string): FollowUp {
  if (given === undefined) return { earlier: undefined, typed: argument };
  const isRun = given !== true && (argument !== undefined || existsSync(join(runs, given, "run.json")));
  if (isRun) return { earlier: readAsk(findRun(given, runs)), typed: argument };
  const last = runIds(runs)
    .toReversed()
    .map((id) => findRun(id, runs))
    .find((directory) => readRunFile(directory).tool === "ask");
  if (last === undefined) throw new UsageError(`--continue: no question has been asked in ${runs} yet`);
  return { earlier: readAsk(last), typed: given === true ? argument : given };
}

function readAsk(directory: string): EarlierAsk {
  const { tool, id, options } = readRunFile(directory);
  if (tool !== "ask") throw new UsageError(`--continue ${id}: that run was made by "${tool}", not by ask`);
  const result = readResultFile(directory)?.result;
  if (result === undefined) throw new UsageError(`--continue ${id}: that run is not finished: resume it first`);
  // Casts: ask has written both.
  return { question: (options as AskRecord).question, result: result as AskResult };
}
