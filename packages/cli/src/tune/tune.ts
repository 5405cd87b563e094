import { resolve } from "node:path";
import { CoreBudget } from "@coppice/engine/cores";
import type { RunFile } from "@coppice/engine/records";
import { UsageError } from "@coppice/engine/usage-error";
import {
  type CustomOptions,
  type FootballOptions,
  type ObjectiveName,
  prepareTune,
  type TuneOptions,
  writeDemo,
} from "@coppice/projections";
import {
  type Answer,
  compareFolders,
  type MeasureOptions,
  measureFolder,
  promoteWinners,
} from "@coppice/projections/folders";
import { chosenCommand } from "../options/chosen-command.ts";
import type { CommandFlags } from "../options/command-options.ts";
import type { RunOptions } from "../options/run-options.ts";
import { print, printJson, tell } from "../print.ts";
import { newRun, runAndPrint, type ShownRun } from "../session/live-run.ts";
import { TuneDisplay } from "./tune-display.ts";

/** What the demonstration and tuning have in common, as typed. */
export interface DemoFlags extends RunOptions {
  readonly output: string;
  readonly testValues: number;
  readonly maxPasses: number;
  readonly seed: number;
  readonly maxWorkers: number;
  readonly useProcesses: boolean;
}

export interface TuneFlags extends DemoFlags, CommandFlags {
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

export interface EvaluateFlags extends MeasureOptions {
  readonly json?: boolean;
}

/** `coppice tune`, with `--compare` and `--promote` in its place. */
export async function tune(flags: TuneFlags): Promise<void> {
  if (flags.compare !== undefined) printAnswer(compare(flags.compare, flags), flags.json);
  else if (flags.promote !== undefined) printAnswer(promote(flags.promote, flags), flags.json);
  else await start(isCustom(flags) ? custom(flags) : football(flags), flags);
}

/** `coppice tune demo`. */
export async function demo(flags: DemoFlags): Promise<void> {
  const { output, testValues, maxPasses, seed } = flags;
  const written = writeDemo(resolve(output), seed);
  await start({ kind: "football", ...written, objective: "mae", testValues, maxPasses, seed }, flags);
}

/** `coppice tune evaluate`: measures and prints; writes nothing. */
export function evaluate(flags: EvaluateFlags): void {
  printAnswer(measureFolder(flags), flags.json);
}

/** Prepares a recorded tuning again. */
export async function rebuildTune({ options }: RunFile): Promise<ShownRun> {
  // Cast: written by `start`; the inputs these options lead to are compared with those of the run.
  return shownTune(options as TuneOptions);
}

/** A tuning with the tuner's own display. */
function shownTune(options: TuneOptions, notices: readonly string[] = []): ShownRun {
  const prepared = prepareTune(options);
  const said = { ...prepared, notices: [...prepared.notices, ...notices] };
  return { ...said, display: (screen) => new TuneDisplay(said, screen) };
}

/** Starts a new run of a tuning. Everything is read and checked before anything is written. */
async function start(options: TuneOptions, flags: DemoFlags): Promise<void> {
  // `--workers` and `--pool` override the tuner's own options.
  const own = flags.workers === "auto" && flags.pool === undefined;
  const { workers, notice } = own ? new CoreBudget().grant(flags.maxWorkers) : { ...flags, notice: undefined };
  const pool = flags.pool ?? (flags.useProcesses ? "processes" : "threads");
  const prepared = shownTune(options, notice === undefined ? [] : [notice]);
  await runAndPrint(prepared, newRun(flags), { ...flags, workers, pool });
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

function isCustom({ evaluator, command, commandMode, commandFiles, space }: TuneFlags): boolean {
  return [evaluator, command, commandMode, commandFiles, space].some((given) => given !== undefined);
}

function custom(flags: TuneFlags): CustomOptions {
  const { evaluator, space } = flags;
  const command = chosenCommand(flags);
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
    data: flags.data,
    baseline: flags.baseline,
    holdout: flags.holdout,
    "exclude-low-coverage-weeks": flags.excludeLowCoverageWeeks,
  })) {
    if (value !== undefined) throw new UsageError(`--${flag} belongs to the football model, not to one of your own`);
  }
  return { kind: "custom", evaluator: judge, space: resolve(space), ...shared(flags) };
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

function compare([a, b, ...more]: readonly string[], { data, ...flags }: TuneFlags): Answer {
  if (a === undefined || b === undefined || more.length > 0) {
    const count = [a, b].filter((path) => path !== undefined).length + more.length;
    throw new UsageError(`--compare takes two folders (or files), not ${count}`);
  }
  if (data === undefined) throw new UsageError("--data is missing: the seasons to compare on");
  return compareFolders(a, b, { ...flags, data });
}

function promote(folder: string | true, { data, baseline, output, ...flags }: TuneFlags): Answer {
  if (data === undefined) throw new UsageError("--data is missing: the seasons to judge by");
  if (baseline === undefined) throw new UsageError("--baseline is missing: the folder to promote into");
  return promoteWinners({ ...flags, data, from: folder === true ? output : folder, into: baseline });
}

function printAnswer({ document, text, warnings }: Answer, json = false): void {
  for (const warning of warnings) tell(warning);
  if (json) printJson(document);
  else print(`${text}\n`);
}
