import { resolve } from "node:path";
import { reserveDirectory, UsageError } from "@coppice/engine";
import { type ObjectiveName, poolFor } from "@coppice/projections";
import { compare } from "./compare.ts";
import { customJob } from "./custom-job.ts";
import { footballJob } from "./football-job.ts";
import type { TuneJob } from "./job.ts";
import { promote } from "./promote.ts";
import { runJob } from "./run-job.ts";
import type { CustomOptions, FootballOptions, TuneOptions } from "./tune-options.ts";

/** How a tuning is worked on. */
export interface WorkFlags {
  readonly maxWorkers: number;
  readonly useProcesses: boolean;
  readonly runDir: string;
  readonly id?: string;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

/** What shapes its answer, as typed. */
export interface ShapeFlags {
  readonly output: string;
  readonly testValues: number;
  readonly maxPasses: number;
  readonly seed: number;
  readonly onFailure: "stop" | "continue";
  readonly retries: number;
  readonly timeout: number;
}

export interface TuneFlags extends ShapeFlags {
  readonly data?: string;
  readonly baseline?: string;
  readonly compare?: readonly string[];
  readonly promote?: string | true;
  readonly holdout?: string;
  readonly excludeLowCoverageWeeks?: boolean;
  readonly objective: ObjectiveName;
  readonly evaluator?: string;
  readonly space?: string;
  readonly horizons?: readonly string[];
  readonly params?: readonly string[];
  readonly numParams?: number;
  readonly candidates?: string;
}

/** `coppice tune`: returns the exit code. */
export async function tune(flags: TuneFlags & WorkFlags): Promise<number> {
  if (flags.compare !== undefined) return compare({ ...flags, compare: flags.compare });
  if (flags.promote !== undefined) return promote({ ...flags, promote: flags.promote });
  const options = flags.evaluator === undefined && flags.space === undefined ? football(flags) : custom(flags);
  return startTuning(options, flags);
}

/** Starts a new run of a tuning. Everything is read and checked before anything is written. */
export async function startTuning(options: TuneOptions, flags: ShapeFlags & WorkFlags): Promise<number> {
  const { pool, notice } = poolFor(flags);
  const settings = {
    options,
    pool,
    shape: { seed: options.seed, onFailure: flags.onFailure, retries: flags.retries, timeoutMs: flags.timeout },
    json: flags.json ?? false,
    quiet: flags.quiet ?? false,
  };
  const run = async <Result>(job: TuneJob<Result>) => {
    const notices = notice === undefined ? job.notices : [...job.notices, notice];
    const reserved = reserveDirectory(flags.runDir, flags.id);
    try {
      return await runJob({ ...job, notices }, { ...settings, directory: reserved.directory });
    } finally {
      reserved.giveBack();
    }
  };
  return options.kind === "football" ? run(footballJob(options)) : run(customJob(options));
}

function football(flags: TuneFlags): FootballOptions {
  const { data, baseline, holdout, objective, excludeLowCoverageWeeks } = flags;
  if (data === undefined)
    throw new UsageError("--data is missing: the folder with the seasons (or try: coppice tune demo)");
  if (baseline === undefined) throw new UsageError("--baseline is missing: the folder tuning starts from");
  return {
    kind: "football",
    data: resolve(data),
    baseline: resolve(baseline),
    objective,
    ...(holdout === undefined ? {} : { holdout }),
    ...(excludeLowCoverageWeeks === undefined ? {} : { excludeLowCoverageWeeks }),
    ...shared(flags),
  };
}

function custom(flags: TuneFlags): CustomOptions {
  const { evaluator, space } = flags;
  if (evaluator === undefined || space === undefined) {
    throw new UsageError(
      "--evaluator and --space go together: a module that judges and a file that says what is tuned",
    );
  }
  for (const [flag, value] of Object.entries({
    data: flags.data,
    baseline: flags.baseline,
    holdout: flags.holdout,
    "exclude-low-coverage-weeks": flags.excludeLowCoverageWeeks,
  })) {
    if (value !== undefined) throw new UsageError(`--${flag} belongs to the football model, not to --evaluator`);
  }
  return { kind: "custom", evaluator: resolve(evaluator), space: resolve(space), ...shared(flags) };
}

function shared(flags: TuneFlags) {
  const { params, numParams, horizons, candidates, testValues, maxPasses, seed, output } = flags;
  return {
    output: resolve(output),
    testValues,
    maxPasses,
    seed,
    ...(params === undefined ? {} : { params }),
    ...(numParams === undefined ? {} : { numParams }),
    ...(horizons === undefined ? {} : { horizons }),
    ...(candidates === undefined ? {} : { candidates: resolve(candidates) }),
  };
}
