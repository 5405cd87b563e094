import { existsSync } from "node:fs";
import { basename } from "node:path";
import { concurrent } from "@coppice/engine";
import { checkProgram, filesNamed } from "@coppice/engine/command";
import { availableCores } from "@coppice/engine/cores";
import { type RunFile, readResultFile, summarizeRun } from "@coppice/engine/records";
import type { PreparedRun } from "@coppice/engine/session";
import { UsageError } from "@coppice/engine/usage-error";
import {
  CannotStart,
  describeFailures,
  hasOneProgram,
  type ItemRun,
  type MapContext,
  type MapItem,
} from "./item-run.ts";
import { type ItemListener, type MapResult, MapSearch } from "./map-search.ts";

/** What `run.json` keeps of a map: all that a resume needs, the items included. */
export interface MapRecord extends MapContext {
  readonly items: readonly string[];
  /** What the items were numbered where they were run first; otherwise they count from 1. */
  readonly numbers?: readonly number[];
  readonly halt: boolean;
  readonly tag: boolean;
  readonly jobs: number | "auto";
  /** What the command named when the map began; a file that it writes first is none of them. */
  readonly files?: readonly string[];
}

type MapRun = PreparedRun<MapItem, ItemRun, MapResult>;

/** A map that has not begun: notes which files its command names. */
export function newMap(record: Omit<MapRecord, "files">): MapRecord {
  return { ...record, files: filesNamed(record.words, record.cwd) };
}

/** What a recorded map was asked for; its program must be there if there is work for it. */
export function recordedMap({ id, options }: RunFile, directory: string, work: boolean): MapRecord {
  // Cast: written by `mapRun`.
  const record = options as MapRecord;
  if (work && summarizeRun(directory, id).state !== "done") checkCommand(record);
  return record;
}

/** The items of a finished map that failed, as a map of their own. */
export function failedAgain({ id, tool, options }: RunFile, directory: string): MapRecord {
  if (tool !== "map") throw new UsageError(`--retry-failed: run ${id} was made by "${tool}", not by map`);
  const ended = readResultFile(directory);
  if (ended === undefined) throw new UsageError(`--retry-failed: run ${id} is not finished: resume it first`);
  // Casts: written by the map that this is the record and the result of.
  const { failures } = ended.result as MapResult;
  const record = options as MapRecord;
  if (failures.length === 0) throw new UsageError(`--retry-failed: no item of run ${id} failed`);
  checkCommand(record);
  const wanted = new Set(failures.map(({ number }) => number));
  const items = itemsOf(record).filter(({ number }) => wanted.has(number));
  return newMap({ ...record, items: items.map(({ item }) => item), numbers: items.map(({ number }) => number) });
}

/** Says at once that no item could be run. A program that is the item's own may be missing for this item only. */
export function checkCommand({ words, cwd }: Pick<MapContext, "words" | "cwd">): void {
  if (hasOneProgram(words)) checkProgram(words[0], cwd);
}

function itemsOf({ items, numbers }: MapRecord): MapItem[] {
  return items.map((item, i) => ({ item, number: numbers?.[i] ?? i + 1 }));
}

/** Prepares a map; the listener hears of every item in order, of a resumed map's from the first on. */
export function mapRun(record: MapRecord, listener: ItemListener): MapRun {
  const { words, cwd, stdin, retries, timeoutMs, items, halt, jobs, files = [] } = record;
  const context: MapContext = { words, cwd, stdin, retries, timeoutMs };
  return {
    tool: "map",
    record: () => record,
    search: new MapSearch(itemsOf(record), halt, listener),
    evaluator: new URL("./evaluator.ts", import.meta.url),
    context,
    evaluatorFolders: [cwd],
    impure: "commands were run",
    ...(files.length === 0 ? {} : { evaluatorFiles: files.filter((file) => existsSync(file)) }),
    ...(hasOneProgram(words) ? { policy: () => ({ stopOn: [CannotStart.name] }) } : {}),
    pool: async () => concurrent({ workers: jobs === "auto" ? availableCores() : jobs }),
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
      const failed = describeFailures(failures, items.length).replace(/\s*\n\s*/g, " ");
      return `${failed}${stopped} (run ${id})`;
    },
  };
}
