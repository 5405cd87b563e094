import { findRun, readResultFile, readRunFile } from "@coppice/engine/records";
import { recordedCommand } from "@coppice/engine/session";
import { UsageError } from "@coppice/engine/usage-error";
import type { StudyResult } from "@coppice/search";
import type { SamplingRecord } from "./prepare-sampling.ts";
import type { SamplingOptions } from "./sampling-options.ts";

/** What a finished search by samples was told and found. */
export function sampledRun(
  run: string,
  runs: string,
): { readonly options: SamplingOptions; readonly result: StudyResult } {
  const directory = findRun(run, runs);
  const { tool, options, id } = readRunFile(directory);
  if (tool !== "sampling") throw new UsageError(`run ${id} was made by "${tool}", not by coppice tune with a method`);
  const file = readResultFile(directory);
  if (file === undefined) throw new UsageError(`run ${id} is not finished: coppice resume ${id} first`);
  // Casts: that tool has written both.
  return { options: recordedSampling(options as SamplingRecord, directory), result: file.result as StudyResult };
}

/** The options of a record, with its command where it is now. */
export function recordedSampling({ evaluator, ...options }: SamplingRecord, directory: string): SamplingOptions {
  return { ...options, evaluator: typeof evaluator === "string" ? evaluator : recordedCommand(evaluator, directory) };
}
