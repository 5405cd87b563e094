import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Completeness, KeptFile, Metrics } from "../contract.ts";
import {
  columnMeans,
  completeness,
  ResultsError,
  type ResultsTable,
  readResults,
  rowsWithin,
} from "../results/results-table.ts";
import type { Measured } from "../score/compare.ts";
import type { StepConfig } from "../settings.ts";
import type { PlaceholderValues } from "../steps/placeholders.ts";
import { keepBytes, readKept } from "./kept-file.ts";
import type { Pipeline } from "./pipeline.ts";
import type { Site } from "./site.ts";

/** Results that a sweep has written, put aside, with what they amount to. */
export interface Measurement extends Measured {
  readonly results: KeptFile;
  readonly metrics: Metrics;
  readonly completeness: Completeness;
}

/** Runs the sweep, reads what it wrote to `written` and puts it aside as `kept`; both relative to the run's root. */
export async function measure(
  site: Site,
  pipeline: Pipeline,
  sweep: StepConfig,
  values: PlaceholderValues,
  files: { readonly written: string; readonly kept: string; readonly round: number },
): Promise<Measurement> {
  const path = join(site.runRoot, files.written);
  const printed = await pipeline.run("sweep", sweep, { ...values, results: path }, files.round);
  const { results: format } = site.settings.config;
  try {
    if (existsSync(path)) return keepResults(site, files.kept, readFileSync(path), files.written);
    if (format.format === "json") return keepResults(site, files.kept, Buffer.from(printed), "what the sweep printed");
  } catch (error) {
    if (error instanceof ResultsError) throw pipeline.failed("ResultsUnusable", error.message, "results");
    throw error;
  }
  const message = `the sweep ended well but wrote no results: {results} (${files.written}) is missing`;
  throw pipeline.failed("ResultsUnusable", message, "results");
}

/** Checks results and puts them aside. */
export function keepResults(site: Site, kept: string, bytes: Uint8Array, name: string): Measurement {
  const table = readResults(Buffer.from(bytes).toString("utf8"), site.settings.config.results, name);
  const measured = measuredIn(site, table);
  const primary = primaryOf(site);
  if (primary !== undefined && measured.metrics[primary] === undefined) {
    const there = table.columns.includes(primary);
    const why = there ? `holds no finite number in the primary column` : `lacks the primary column`;
    throw new ResultsError(`${name} ${why} ${JSON.stringify(primary)}`);
  }
  return {
    ...measured,
    results: keepBytes(site.runRoot, kept, bytes),
    completeness: completeness(table, site.settings.shape.sweepConfigLimit, primary),
  };
}

/** Means of results that were put aside, over the rows that count. */
export function measuredOf(site: Site, file: KeptFile): Measured {
  const text = readKept(site.runRoot, file).toString("utf8");
  return measuredIn(site, readResults(text, site.settings.config.results, file.path));
}

function measuredIn(site: Site, table: ResultsTable): Measured {
  const rows = rowsWithin(table, site.settings.shape.sweepConfigLimit);
  return { metrics: columnMeans(table, rows), rows: rows.length };
}

function primaryOf({ settings: { config } }: Site): string | undefined {
  return config.score.kind === "columns" ? config.score.primary : undefined;
}
