import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Completeness, KeptFile, Metrics } from "../contract.ts";
import {
  columnMeans,
  completeness,
  primaryOf,
  ResultsError,
  type ResultsTable,
  readResults,
  readScorable,
  rowsWithin,
} from "../results/results-table.ts";
import type { Measured } from "../score/compare.ts";
import type { StepConfig } from "../settings.ts";
import type { PlaceholderValues } from "../steps/placeholders.ts";
import { keepBytes, readKept } from "./kept-file.ts";
import type { OpenRun } from "./open-run.ts";
import type { Pipeline } from "./pipeline.ts";

/** Results that a sweep has written, put aside, with what they amount to. */
export interface Measurement extends Measured {
  readonly results: KeptFile;
  readonly metrics: Metrics;
  readonly completeness: Completeness;
}

/** Runs the sweep, reads what it wrote to `written` and puts it aside as `kept`; both relative to the run's root. */
export async function measure(
  run: OpenRun,
  pipeline: Pipeline,
  sweep: StepConfig,
  values: PlaceholderValues,
  files: { readonly written: string; readonly kept: string; readonly round: number },
): Promise<Measurement> {
  const path = join(run.runRoot, files.written);
  const printed = await pipeline.run("sweep", sweep, { ...values, results: path }, files.round);
  const { results: format } = run.settings.config;
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isFolder) {
    const message = `the sweep made {results} (${files.written}) a folder; it must be a file`;
    throw pipeline.failed("ResultsUnusable", message, "results");
  }
  try {
    if (existsSync(path)) return keepResults(run, files.kept, readFileSync(path), files.written);
    if (format.format === "json") return keepResults(run, files.kept, Buffer.from(printed), "what the sweep printed");
  } catch (error) {
    if (error instanceof ResultsError) throw pipeline.failed("ResultsUnusable", error.message, "results");
    throw error;
  }
  const message = `the sweep ended well but wrote no results: {results} (${files.written}) is missing`;
  throw pipeline.failed("ResultsUnusable", message, "results");
}

/** Checks results and puts them aside. */
export function keepResults(run: OpenRun, kept: string, bytes: Uint8Array, name: string): Measurement {
  const { config, shape } = run.settings;
  const { sweepConfigLimit: limit } = shape;
  const table = readScorable(Buffer.from(bytes).toString("utf8"), config, limit, name);
  return {
    ...measuredIn(run, table),
    results: keepBytes(run.runRoot, kept, bytes),
    completeness: completeness(table, limit, primaryOf(config.score)),
  };
}

/** Means of results that were put aside, over the rows that count. */
export function measuredOf(run: OpenRun, file: KeptFile): Measured {
  const text = readKept(run.runRoot, file).toString("utf8");
  return measuredIn(run, readResults(text, run.settings.config.results, file.path));
}

function measuredIn(run: OpenRun, table: ResultsTable): Measured {
  const rows = rowsWithin(table, run.settings.shape.sweepConfigLimit);
  return { metrics: columnMeans(table, rows), rows: rows.length };
}
