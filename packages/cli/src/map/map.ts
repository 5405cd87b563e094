import { dirname } from "node:path";
import { stderrProgress } from "@coppice/engine/parallel-map";
import type { RunFile } from "@coppice/engine/records";
import { UsageError } from "@coppice/engine/usage-error";
import {
  checkCommand,
  failedAgain,
  type ItemFormat,
  type ItemRun,
  type MapItem,
  type MapRecord,
  type MapResult,
  mapRun,
  newMap,
  readCommand,
  readItems,
  recordedMap,
  shownCommand,
  wordsFor,
} from "@coppice/workbench/command-map";
import { chosenPool, refuseSettingsOfOthers } from "../options/pool-choice.ts";
import type { WorkOptions } from "../options/run-options.ts";
import { print } from "../print.ts";
import { runAndPrint, type ShownRun } from "../session/live-run.ts";
import { printItem } from "./item-output.ts";

/** Commands are waited for in this process. */
const USUAL_POOL = "concurrent";

export interface MapFlags {
  readonly pool?: string;
  readonly redis?: string;
  readonly jobs: number | "auto";
  readonly argFile: readonly string[];
  readonly null?: boolean;
  readonly input: ItemFormat;
  readonly stdin?: boolean;
  readonly retries: number;
  readonly timeout: number;
  readonly halt?: boolean;
  readonly tag?: boolean;
  readonly progress?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly durable?: boolean;
  readonly runDir: string;
  readonly id?: string;
}

/** How a session shows a map. */
interface Shown {
  readonly json?: boolean | undefined;
  readonly progress?: boolean | undefined;
  /** Nothing is printed. */
  readonly silent?: boolean;
}

/** `coppice map`: a command per item, many at once, their output as if they had been run one by one. */
export async function map(typed: readonly string[], flags: MapFlags): Promise<void> {
  const { stdin = false, retries, timeout: timeoutMs, halt = false, tag = false, jobs } = flags;
  const { words, items: listed } = readCommand(typed, stdin);
  if (listed !== undefined && flags.argFile.length > 0)
    throw new UsageError("items come from -a or after :::, not from both");
  const cwd = process.cwd();
  checkCommand({ words, cwd });
  const items = listed ?? (await readItems(flags.argFile, flags.null === true ? "null" : flags.input));
  if (flags.dryRun === true) {
    for (const [i, item] of items.entries()) print(`${shownCommand(wordsFor(words, item, i + 1))}\n`);
    return;
  }
  const { runDir, id, durable, pool = USUAL_POOL } = flags;
  refuseSettingsOfOthers(flags, pool);
  const record = newMap({ words, cwd, stdin, retries, timeoutMs, items, halt, tag, jobs });
  const prepared = onPool(shownMap(record, flags), pool, jobs);
  const origin = { runs: runDir, ...(id === undefined ? {} : { id }) };
  await runAndPrint(prepared, origin, {
    runDir,
    workers: jobs,
    quiet: true,
    ...(durable === undefined ? {} : { durable }),
  });
}

/** Prepares a recorded map again: everything is printed from the first item on, and only what is not finished is run. */
export async function rebuildMap(file: RunFile, directory: string, given?: WorkOptions): Promise<ShownRun> {
  const record = recordedMap(file, directory, given !== undefined);
  const shown = { json: given?.json, silent: given === undefined };
  const wanted = withJobs(record, given);
  const { kind } = file.pool;
  const pool = kind === USUAL_POOL ? kind : (given?.pool ?? kind);
  // Cast: who does not look at candidates and results takes any.
  return onPool(shownMap(wanted, shown), pool, wanted.jobs) as unknown as ShownRun;
}

/** `coppice resume <run> --retry-failed`: the items of a finished map that failed, in a run of their own. */
export async function retryFailed(file: RunFile, directory: string, options: WorkOptions): Promise<void> {
  const again = shownMap(withJobs(failedAgain(file, directory), options), { json: options.json });
  await runAndPrint(again, { runs: dirname(directory) }, { ...options, quiet: true });
}

function withJobs(record: MapRecord, given: WorkOptions | undefined): MapRecord {
  return given === undefined || given.workers === "auto" ? record : { ...record, jobs: given.workers };
}

/** The map somewhere else than in this process. */
function onPool<Run extends object>(run: Run, pool: string, workers: number | "auto"): Run {
  return pool === USUAL_POOL ? run : { ...run, pool: () => chosenPool({ pool, workers }) };
}

function shownMap(record: MapRecord, { json = false, progress = false, silent = false }: Shown) {
  const say = progress ? stderrProgress("items") : undefined;
  const run: ShownRun<MapItem, ItemRun, MapResult> = mapRun(record, (item, itemRun, { done, failed }) => {
    if (!silent) printItem(item, itemRun, { json, tag: record.tag });
    say?.({ done, total: record.items.length, failed });
  });
  return { ...run, display: () => ({ see: () => {}, close: async () => {} }), printsAsItGoes: true };
}
