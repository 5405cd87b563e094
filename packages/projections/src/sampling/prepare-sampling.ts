import { existsSync } from "node:fs";
import { join } from "node:path";
import { commandEvaluator } from "@coppice/engine/command";
import { onlyGiven } from "@coppice/engine/only-given";
import { type CommandRecord, commandRecord, PAGE_NAME, type PreparedRun } from "@coppice/engine/session";
import { UsageError } from "@coppice/engine/usage-error";
import {
  type Configuration,
  type Goal,
  hyperband,
  type Point,
  pointOf,
  type SearchSpace,
  type StudyResult,
  samplerNamed,
  study,
} from "@coppice/search";
import { checkFolder } from "../tuning/output-folder.ts";
import { spaceOf } from "../tuning/space-file.ts";
import { recordedSampling } from "./earlier-run.ts";
import type { SamplingOptions } from "./sampling-options.ts";
import { samplingText } from "./sampling-text.ts";
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
    search: searchOf(options, space, goals),
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
    exitCode: (end) => (end.state === "done" && end.result.failed === end.result.trials.length ? 1 : undefined),
  };
}

/** Prepares a recorded one again. */
export function prepareRecordedSampling(record: SamplingRecord, directory: string): ReturnType<typeof prepareSampling> {
  return prepareSampling(recordedSampling(record, directory));
}

/** What is wanted of a point. */
export function goalsOf({ space }: Pick<SamplingOptions, "space">): readonly Goal[] {
  const objectives = space.objectives ?? { value: space.objective };
  return Object.entries(objectives).map(([name, wanted]) => ({
    name,
    better: wanted === "minimize" ? "lower" : "higher",
  }));
}

function searchOf(options: SamplingOptions, space: SearchSpace, goals: readonly Goal[]) {
  const { method, trials, window, seed, repeats, patience, target, budget, answered } = options;
  const first = options.first?.map((point) => pointIn(space, point));
  const shared = { space, trials, window, seed, ...(first === undefined ? {} : { first }) };
  if (method === "halving" || method === "hyperband") {
    if (budget === undefined) throw new UsageError(`the method ${method} needs a budget`);
    return hyperband({ ...shared, goal: goals[0], budget, brackets: method });
  }
  // Another run's points may break what is asked of this one's, and say something all the same.
  const free = { ...space, constraints: [] };
  const earlier = options.earlier?.map(({ point, values }) => ({ point: pointIn(free, point), values }));
  return study({
    ...shared,
    goals,
    sampler: samplerNamed(method, { space, seed }),
    ...onlyGiven({ earlier, answered, repeats, patience, target }),
  });
}

function pointIn(space: SearchSpace, configuration: Configuration): Point {
  const point = pointOf(space, configuration);
  if (typeof point === "string") throw new UsageError(`a recorded point does not belong to the space: ${point}`);
  return point;
}
