import { resolve } from "node:path";
import type { CommandOptions } from "@coppice/engine/command";
import { onlyGiven } from "@coppice/engine/only-given";
import { UsageError } from "@coppice/engine/usage-error";
import type { CustomOptions, FootballOptions, SharedOptions, TuneOptions } from "./tuning.ts";

/** What a person chooses of a tuning: paths from here, and nothing said twice. */
export interface TuneChoices extends SharedOptions, Partial<Pick<FootballOptions, "data" | "baseline">> {
  readonly objective: FootballOptions["objective"];
  readonly seasons?: readonly string[];
  readonly holdout?: string;
  readonly ranges?: string;
  /** Searches by a sampler instead of a tournament. */
  readonly sampled?: FootballOptions["sampled"];
  readonly excludeLowCoverageWeeks?: boolean;
  /** A module that judges. */
  readonly evaluator?: string;
  readonly space?: string;
}

/** What is chosen, complete and with absolute paths; `command` judges instead of a module. */
export function tuneOptions(choices: TuneChoices, command: CommandOptions | undefined): TuneOptions {
  const isCustom = [choices.evaluator, command, choices.space].some((given) => given !== undefined);
  return isCustom ? custom(choices, command) : football(choices);
}

function football(choices: TuneChoices): FootballOptions {
  const { data, baseline, seasons, holdout, ranges, sampled, objective, excludeLowCoverageWeeks } = choices;
  if (data === undefined)
    throw new UsageError("--data is missing: the folder with the seasons (or try: coppice tune demo)");
  if (baseline === undefined) throw new UsageError("--baseline is missing: the folder tuning starts from");
  return {
    kind: "football",
    data: resolve(data),
    baseline: resolve(baseline),
    objective,
    ...onlyGiven({ seasons, holdout }),
    ...(ranges === undefined ? {} : { ranges: resolve(ranges) }),
    ...onlyGiven({ sampled, excludeLowCoverageWeeks }),
    ...shared(choices),
  };
}

function custom(choices: TuneChoices, command: CommandOptions | undefined): CustomOptions {
  const { evaluator, space } = choices;
  if (evaluator !== undefined && command !== undefined) {
    throw new UsageError("--evaluator and --command both say what judges: give one of them");
  }
  const judge = command === undefined ? evaluator && resolve(evaluator) : { ...command, cwd: resolve(".") };
  if (judge === undefined || space === undefined) {
    throw new UsageError(
      "--evaluator and --space go together, and so do --command and --space: what judges, and a file that says what is tuned",
    );
  }
  for (const [flag, value] of Object.entries({
    data: choices.data,
    baseline: choices.baseline,
    seasons: choices.seasons,
    holdout: choices.holdout,
    ranges: choices.ranges,
    "exclude-low-coverage-weeks": choices.excludeLowCoverageWeeks,
  })) {
    if (value !== undefined) throw new UsageError(`--${flag} belongs to the football model, not to one of your own`);
  }
  return { kind: "custom", evaluator: judge, space: resolve(space), ...shared(choices) };
}

function shared({ params, numParams, horizons, candidates, testValues, maxPasses, seed, output }: TuneChoices) {
  return {
    output: resolve(output),
    testValues,
    maxPasses,
    seed,
    ...onlyGiven({ params, numParams, horizons }),
    ...(candidates === undefined ? {} : { candidates: resolve(candidates) }),
  };
}
