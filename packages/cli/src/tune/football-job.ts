import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "@coppice/engine";
import {
  asParameter,
  buildColumns,
  ColumnEvaluator,
  footballTournament,
  HORIZONS,
  type Horizon,
  type HorizonResult,
  hasPreseason,
  horizonsNamed,
  OBJECTIVE_METRICS,
  PARAMETERS,
  readBaseline,
  type Season,
  shareColumns,
  type TuningContext,
  tuningEvaluator,
  tuningReport,
  writeIntermediate,
  writeWinners,
} from "@coppice/projections";
import { drawnValues } from "@coppice/search";
import { chosenParameters } from "./chosen-parameters.ts";
import { readGivenValues } from "./given-values.ts";
import type { TuneJob } from "./job.ts";
import { judgedSeasons } from "./judged-seasons.ts";
import { reportPage } from "./report-page.ts";
import { reportText } from "./report-text.ts";
import type { FootballOptions } from "./tune-options.ts";

/** Prepares tuning the football model: reads everything, checks everything, touches nothing. */
export function footballJob(options: FootballOptions): TuneJob<HorizonResult> {
  for (const input of ["data", "baseline"] as const) {
    if (options.output === options[input])
      throw new UsageError(`--output is the --${input} folder: choose another one`);
  }
  const horizons = chosenHorizons(options.horizons);
  const set = judgedSeasons(options.data, options.excludeLowCoverageWeeks);
  const { tuned, left } = splitSeasons(set.seasons, options.holdout);
  checkPreseason(horizons, set.seasons);
  const baseline = readBaseline(options.baseline, horizons);
  const parameters = chosenParameters(PARAMETERS, options.params, options.numParams);
  const keyOf = (name: string) => HORIZONS.find((h) => h.name === name || h.key === name)?.key;
  const given =
    options.candidates === undefined
      ? undefined
      : readGivenValues(
          options.candidates,
          parameters.map(asParameter),
          horizons.map((h) => h.key),
          keyOf,
        );
  const columns = buildColumns(tuned);
  const context: TuningContext = { metrics: OBJECTIVE_METRICS[options.objective], data: "shared" };
  return {
    tournament: footballTournament({
      horizons,
      baseline: baseline.horizons,
      parameters,
      values: given?.values ?? drawnValues(options.seed, options.testValues),
      objective: options.objective,
      maxPasses: options.maxPasses,
    }),
    evaluator: tuningEvaluator,
    context,
    shared: { columns: shareColumns(columns) },
    inputs: digest([set.digest, JSON.stringify(baseline), given?.text ?? ""]),
    notices: [...set.warnings, ...baseline.notices, ...(given?.notices ?? [])],
    titles: Object.fromEntries(horizons.map((h) => [h.key, h.name])),
    objective: options.objective === "mae" ? "MAE" : "pairwise",
    keep: (round, standing) =>
      writeIntermediate(options.output, baseline.league, horizons, standing, round.index, round.parameter),
    finish: (result) => {
      const report = tuningReport({
        objective: options.objective,
        horizons,
        baseline: baseline.horizons,
        result,
        evaluator: new ColumnEvaluator(columns),
        ...(left === undefined ? {} : { holdout: new ColumnEvaluator(buildColumns([left])) }),
      });
      mkdirSync(options.output, { recursive: true });
      writeWinners(options.output, baseline.league, horizons, result);
      copyOthers(options, horizons);
      writeFileSync(join(options.output, "report.json"), `${JSON.stringify(report, null, 2)}\n`);
      writeFileSync(join(options.output, "report.html"), reportPage(report));
      return { report, text: reportText(report, options.output) };
    },
  };
}

/** Horizons that were not tuned stay as they are, so that the folder is complete. */
function copyOthers({ baseline, output }: FootballOptions, tuned: readonly Horizon[]): void {
  for (const horizon of HORIZONS) {
    const file = join(baseline, horizon.file);
    if (!tuned.includes(horizon) && existsSync(file)) copyFileSync(file, join(output, horizon.file));
  }
}

/** The horizons to work on: all, or those named. */
export function chosenHorizons(names: readonly string[] | undefined): readonly Horizon[] {
  if (names === undefined) return HORIZONS;
  const found = horizonsNamed(names);
  if ("unknown" in found) {
    throw new UsageError(`unknown horizon ${found.unknown}: ${HORIZONS.map((h) => h.name).join(", ")}`);
  }
  if (found.length === 0) throw new UsageError("--horizons names no horizon");
  return found;
}

/** Refuses `ros` when there is nothing to see it from. */
export function checkPreseason(horizons: readonly Horizon[], seasons: readonly Season[]): void {
  const without = seasons.find((season) => !hasPreseason(season));
  if (without === undefined || horizons.every((horizon) => horizon.weeks !== undefined)) return;
  const others = HORIZONS.filter((horizon) => horizon.weeks !== undefined).map((horizon) => horizon.name);
  throw new UsageError(
    `season ${without.name} has no preseason projections, which ros needs; leave it out with --horizons ${others.join(",")}`,
  );
}

/** The seasons to tune on, and the one to leave out. */
export function splitSeasons(
  seasons: readonly Season[],
  holdout: string | undefined,
): { readonly tuned: readonly Season[]; readonly left: Season | undefined } {
  if (holdout === undefined) return { tuned: seasons, left: undefined };
  const left = seasons.find((season) => season.name === holdout);
  if (left === undefined) {
    throw new UsageError(`--holdout ${holdout}: the data has seasons ${seasons.map((s) => s.name).join(", ")}`);
  }
  const tuned = seasons.filter((season) => season !== left);
  if (tuned.length === 0) throw new UsageError(`--holdout ${holdout} leaves no season to tune on`);
  return { tuned, left };
}

function digest(parts: readonly string[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(`${part.length}\0${part}`);
  return hash.digest("hex");
}
