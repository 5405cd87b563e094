import { existsSync } from "node:fs";
import { basename } from "node:path";
import { concurrent } from "@coppice/engine";
import { checkProgram, filesNamed } from "@coppice/engine/command";
import { availableCores } from "@coppice/engine/cores";
import { stderrProgress } from "@coppice/engine/parallel-map";
import { type RunFile, summarizeRun } from "@coppice/engine/records";
import { UsageError } from "@coppice/engine/usage-error";
import { oneLine } from "../exit-code.ts";
import type { WorkOptions } from "../options/run-options.ts";
import { print } from "../print.ts";
import { runAndPrint, type ShownRun } from "../session/live-run.ts";
import { readCommand, shownCommand, wordsFor } from "./command-words.ts";
import { describeFailures } from "./failed-items.ts";
import { printItem } from "./item-output.ts";
import { CannotStart, hasOneProgram, type ItemRun, type MapContext, type MapItem } from "./item-run.ts";
import { type ItemFormat, readItems } from "./items.ts";
import { type MapResult, MapSearch } from "./map-search.ts";

export interface MapFlags {
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

/** What `run.json` keeps of a map: all that a resume needs, the items included. */
interface MapRecord extends MapContext {
  readonly items: readonly string[];
  /** What the items were numbered where they were run first; otherwise they count from 1. */
  readonly numbers?: readonly number[];
  readonly halt: boolean;
  readonly tag: boolean;
  readonly jobs: number | "auto";
  /** What the command named when the map began; a file that it writes first is none of them. */
  readonly files?: readonly string[];
}

/** How a session shows a map. */
interface Shown {
  readonly json: boolean;
  readonly progress: boolean;
}

/** `coppice map`: a command per item, many at once, their output as if they had been run one by one. */
export async function map(typed: readonly string[], flags: MapFlags): Promise<void> {
  const { stdin = false, retries, timeout, halt = false, tag = false, jobs } = flags;
  const { words, items: listed } = readCommand(typed, stdin);
  if (listed !== undefined && flags.argFile.length > 0)
    throw new UsageError("items come from -a or after :::, not from both");
  const cwd = process.cwd();
  if (hasOneProgram(words)) checkProgram(words[0], cwd);
  const items = listed ?? (await readItems(flags.argFile, flags.null === true ? "null" : flags.input));
  if (flags.dryRun === true) {
    for (const [i, item] of items.entries()) print(`${shownCommand(wordsFor(words, item, i + 1))}\n`);
    return;
  }
  const files = filesNamed(words, cwd);
  const record: MapRecord = { words, cwd, stdin, retries, timeoutMs: timeout, items, halt, tag, jobs, files };
  const prepared = prepareMap(record, { json: flags.json === true, progress: flags.progress === true });
  const { runDir, id, durable } = flags;
  const origin = { runs: runDir, ...(id === undefined ? {} : { id }) };
  await runAndPrint(prepared, origin, {
    runDir,
    workers: jobs,
    quiet: true,
    ...(durable === undefined ? {} : { durable }),
  });
}

/** Prepares a recorded map again: everything is printed from the first item on, and only what is not finished is run. */
export async function rebuildMap({ id, options }: RunFile, directory: string, given?: WorkOptions): Promise<ShownRun> {
  // Casts: written by `prepareMap`; who does not look at candidates and results takes any.
  const record = options as MapRecord;
  const { words, cwd } = record;
  const hasWork = given !== undefined && summarizeRun(directory, id).state !== "done";
  if (hasWork && hasOneProgram(words)) checkProgram(words[0], cwd);
  const jobs = given === undefined || given.workers === "auto" ? record.jobs : given.workers;
  const shown = { json: given?.json === true, progress: false };
  return prepareMap({ ...record, jobs }, shown, given === undefined) as unknown as ShownRun;
}

/** Prepares a new run of those items of a recorded map that have these numbers. */
export function mapAgain(
  { options }: RunFile,
  numbers: readonly number[],
  { workers, json = false }: WorkOptions,
): ShownRun<MapItem, ItemRun, MapResult> {
  // Cast: written by `prepareMap`.
  const record = options as MapRecord;
  const { words, cwd } = record;
  if (hasOneProgram(words)) checkProgram(words[0], cwd);
  const wanted = new Set(numbers);
  const items = itemsOf(record).filter(({ number }) => wanted.has(number));
  const again = {
    ...record,
    items: items.map(({ item }) => item),
    numbers: items.map(({ number }) => number),
    jobs: workers === "auto" ? record.jobs : workers,
    files: filesNamed(words, cwd),
  };
  return prepareMap(again, { json, progress: false });
}

function itemsOf({ items, numbers }: MapRecord): MapItem[] {
  return items.map((item, i) => ({ item, number: numbers?.[i] ?? i + 1 }));
}

function prepareMap(record: MapRecord, shown: Shown, silent = false): ShownRun<MapItem, ItemRun, MapResult> {
  const { words, cwd, stdin, retries, timeoutMs, items, halt, tag, jobs, files = [] } = record;
  const progress = shown.progress ? stderrProgress("items") : undefined;
  const workers = jobs === "auto" ? availableCores() : jobs;
  const context: MapContext = { words, cwd, stdin, retries, timeoutMs };
  return {
    tool: "map",
    record: () => record,
    search: new MapSearch(itemsOf(record), halt, (item, run, { done, failed }) => {
      if (!silent) printItem(item, run, { json: shown.json, tag });
      progress?.({ done, total: items.length, failed });
    }),
    evaluator: new URL("./evaluator.ts", import.meta.url),
    context,
    impure: "commands were run",
    ...(files.length === 0 ? {} : { evaluatorFiles: files.filter((file) => existsSync(file)) }),
    // A program that is the item's own may be missing for this item only.
    ...(hasOneProgram(words) ? { policy: () => ({ stopOn: [CannotStart.name] }) } : {}),
    pool: async () => concurrent({ workers }),
    display: () => ({ see: () => {}, close: async () => {} }),
    printsAsItGoes: true,
    exitCode: (end) => (end.state === "done" && end.result.failed > 0 ? 1 : undefined),
    farewell: (end, directory, resume) => {
      const id = basename(directory);
      if (end.state !== "done") {
        const how = end.state === "interrupted" ? "" : `${end.state}: `;
        return `run ${id} ${how}${end.message}${end.resumable ? `; continue it with: ${resume}` : ""}`;
      }
      const { failures, done } = end.result;
      if (failures.length === 0) return undefined;
      const stopped = halt ? `; stopped after item ${itemsOf(record)[done - 1].number}` : "";
      return `${oneLine(describeFailures(failures, items.length))}${stopped} (run ${id})`;
    },
  };
}
