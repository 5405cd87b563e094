import { existsSync } from "node:fs";
import { join } from "node:path";
import { commandEvaluator } from "@coppice/engine/command";
import { type CommandRecord, commandRecord, PAGE_NAME, type PreparedRun } from "@coppice/engine/session";
import { UsageError } from "@coppice/engine/usage-error";
import type { Configuration, StudyResult } from "@coppice/search";
import { checkFolder } from "../tuning/output-folder.ts";
import { spaceOf } from "../tuning/space-file.ts";
import { recordedSampling } from "./earlier-run.ts";
import type { SamplingOptions } from "./sampling-options.ts";
import { goalsOf, searchOf } from "./sampling-search.ts";
import { samplingText } from "./sampling-text.ts";
import { retoldTrials, withTrialName } from "./trial-names.ts";
import { writeFindings } from "./write-findings.ts";

/** What `run.json` keeps. */
export interface SamplingRecord extends Omit<SamplingOptions, "evaluator"> {
  readonly evaluator: string | CommandRecord;
}

/** Prepares a search by samples: the same for a start, a resume and a verification. */
export function prepareSampling(options: SamplingOptions): PreparedRun<Configuration, unknown, StudyResult> {
  const { evaluator, output, method } = options;
  if (typeof evaluator === "string" && !existsSync(evaluator)) {
    throw new UsageError(`there is no evaluator module at ${evaluator}`);
  }
  const space = spaceOf("the space", options.space);
  const goals = goalsOf(options);
  return {
    tool: "sampling",
    record: (directory): SamplingRecord => ({
      ...options,
      evaluator: typeof evaluator === "string" ? evaluator : commandRecord(evaluator, directory),
    }),
    search: searchOf(options),
    ...(typeof evaluator === "string"
      ? { evaluator, context: options.space.context }
      : commandEvaluator({
          ...evaluator,
          context: options.space.context,
          // Of several objectives one may be missing: that is for the search to say, by its name.
          ...(goals.length === 1 ? { answer: "number" } : {}),
        })),
    before: () => checkFolder(output),
    finish: (result) => writeFindings({ options, space, goals, result }),
    pages: () => [join(output, PAGE_NAME)],
    describe: (result) => samplingText({ options, space, goals, result }),
    document: (result) => ({ method, ...result }),
    retold: (event) => retoldTrials(event, options),
    farewell: (_end, _directory, _resume, usual) => usual && withTrialName(usual, options),
    exitCode: (end) => (end.state === "done" && end.result.failed === end.result.trials.length ? 1 : undefined),
  };
}

/** Prepares a recorded one again. */
export function prepareRecordedSampling(record: SamplingRecord, directory: string): ReturnType<typeof prepareSampling> {
  return prepareSampling(recordedSampling(record, directory));
}
