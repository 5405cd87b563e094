import { resolve } from "node:path";
import type { RunEvent } from "@coppice/engine";
import { CoreBudget } from "@coppice/engine/cores";
import { announcement } from "@coppice/engine/display";
import type { RunFile } from "@coppice/engine/records";
import { applyChanges } from "@coppice/engine/user-files";
import { prepareTune, type TuneChoices, type TuneOptions, tuneOptions, writeDemo } from "@coppice/projections";
import {
  type Answer,
  compareFolders,
  type MeasureOptions,
  measureFolder,
  type Promotion,
  promoteWinners,
} from "@coppice/projections/folders";
import {
  isSampling,
  prepareSampling,
  type SamplingChoices,
  sampledTuning,
  samplingOptions,
} from "@coppice/projections/sampling";
import { chosenCommand } from "../options/chosen-command.ts";
import type { CommandFlags } from "../options/command-options.ts";
import type { RunOptions } from "../options/run-options.ts";
import { print, printAnswer, tell } from "../print.ts";
import { agreed } from "../session/agreed.ts";
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
  readonly horizons?: readonly string[];
  readonly params?: readonly string[];
  readonly numParams?: number;
}

export interface TuneFlags extends DemoFlags, CommandFlags, SamplingChoices, Omit<TuneChoices, keyof DemoFlags> {
  readonly compare?: readonly string[];
  readonly promote?: string | true;
  readonly yes?: boolean;
}

export interface EvaluateFlags extends MeasureOptions {
  readonly json?: boolean;
}

/** `coppice tune`, with `--compare` and `--promote` in its place. */
export async function tune(flags: TuneFlags): Promise<void> {
  const { json, compare, promote } = flags;
  if (compare !== undefined) printMeasured(compareFolders(compare, flags), json);
  else if (promote !== undefined) {
    const from = promote === true ? flags.output : promote;
    await makePromotion(promoteWinners({ ...flags, from }), flags);
  } else if (isSampling(flags) && flags.data !== undefined) {
    const { sampled, notices } = sampledTuning(flags);
    await start(tuneOptions({ ...flags, sampled }, chosenCommand(flags)), flags, notices);
  } else if (isSampling(flags)) await startSampling(flags);
  else await start(tuneOptions(flags, chosenCommand(flags)), flags);
}

/** `coppice tune demo`. */
export async function demo(flags: DemoFlags): Promise<void> {
  const { output, seed } = flags;
  const written = writeDemo(resolve(output), seed, flags);
  await start(tuneOptions({ ...flags, ...written, objective: "mae" }, undefined), flags);
}

/** `coppice tune evaluate`: measures and prints; writes nothing. */
export function evaluate(flags: EvaluateFlags): void {
  printMeasured(measureFolder(flags), flags.json);
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
async function start(options: TuneOptions, flags: DemoFlags, notices: readonly string[] = []): Promise<void> {
  // `--workers` and `--pool` override the tuner's own options.
  const own = flags.workers === "auto" && flags.pool === undefined;
  const { workers, notice } = own ? new CoreBudget().grant(flags.maxWorkers) : { ...flags, notice: undefined };
  const pool = flags.pool ?? (flags.useProcesses ? "processes" : "threads");
  const prepared = shownTune(options, notice === undefined ? notices : [...notices, notice]);
  await runAndPrint(prepared, newRun({ onFailure: "stop", ...flags }), { ...flags, workers, pool });
}

/** Searches by samples. A failed evaluation is something to learn from: unless told otherwise, it goes on. */
async function startSampling(flags: TuneFlags): Promise<void> {
  const { options, notices } = samplingOptions(flags, chosenCommand(flags));
  const prepared = prepareSampling(options);
  // Said once the run is under way: what is refused is refused in one line.
  const retold = (event: RunEvent, directory: string): RunEvent =>
    event.type === "run-started"
      ? { ...event, says: [...notices, ...(announcement(event)?.lines ?? [])] }
      : (prepared.retold?.(event, directory) ?? event);
  await runAndPrint({ ...prepared, retold }, newRun({ ...flags, seed: options.seed }), flags);
}

/** Shows what a promotion changes, then changes it: with `--yes`, or when the person at the terminal says so. */
async function makePromotion({ changes, ...answer }: Promotion, { json, yes = false }: TuneFlags): Promise<void> {
  const making = changes.length > 0 && (yes || json !== true);
  if (json !== true) printMeasured(answer, json);
  const wanted = making && (yes || (await agreed()));
  if (wanted) applyChanges(changes);
  if (json === true) printMeasured({ ...answer, document: { ...answer.document, applied: wanted } }, json);
  else if (changes.length === 0) print("\nnothing to change\n");
  else print(wanted ? "\ndone\n" : "\nnothing was changed; to make these changes, add --yes\n");
}

function printMeasured({ document, text, warnings }: Answer, json: boolean | undefined): void {
  for (const warning of warnings) tell(warning);
  printAnswer(json, document, () => text);
}
