import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "@coppice/engine/usage-error";
import { type CandidateValues, CrossValidation, HorizonStudies, type Parameter, Tournament } from "@coppice/search";
import { buildColumns } from "../columns/build.ts";
import { ColumnEvaluator } from "../columns/column-evaluator.ts";
import { checkJudged } from "../columns/judged-players.ts";
import { shareColumns } from "../columns/shared-columns.ts";
import { readBaseline } from "../config/baseline.ts";
import type { HorizonParameters } from "../config/configuration.ts";
import { chosenHorizons, HORIZONS, type Horizon, horizonNamed } from "../horizon.ts";
import { readText, writeJson } from "../json-file.ts";
import { type TuningReport, tuningReport } from "../report/tuning-report.ts";
import { reportText } from "../report/tuning-text.ts";
import { checkPreseason, judgedSeasons } from "../seasons/load.ts";
import { type TuningContext, tuningEvaluator } from "./judge.ts";
import { type HorizonResult, type ObjectiveName, objectives, onSeasons } from "./objective.ts";
import { checkPlaces, footballParameters } from "./ranges-file.ts";
import { chosenParameters, type FootballOptions, type SampledTuning, type Tuning } from "./tuning.ts";
import { testValues } from "./values-file.ts";
import { writeIntermediate, writeWinners } from "./winners.ts";

/** Prepares tuning the football model: reads everything, checks everything, touches nothing. */
export function footballTuning(options: FootballOptions): Tuning<HorizonResult, TuningReport> {
  const { output } = options;
  for (const input of ["data", "baseline"] as const) {
    if (output === options[input]) throw new UsageError(`--output is the --${input} folder: choose another one`);
  }
  const judged = judgedSeasons(options);
  checkPreseason(chosenHorizons(options.horizons), judged.seasons);
  const seasons = judged.tuned.map(({ name }) => name);
  const { horizons, baseline, given, search } = footballSearch(options, () => seasons);
  const ranges = options.ranges === undefined ? [] : [readText(options.ranges)];
  const columns = buildColumns(judged.tuned);
  const left = judged.left && buildColumns([judged.left]);
  const unjudged = [...checkJudged(columns, horizons), ...(left === undefined ? [] : checkJudged(left, horizons))];
  const objective = objectives[options.objective];
  const bySeason = options.sampled?.crossValidate === true;
  const context: TuningContext = { metrics: objective.metrics, data: "shared", ...(bySeason ? { bySeason } : {}) };
  return {
    tournament: search,
    evaluator: tuningEvaluator,
    context,
    shared: { columns: shareColumns(columns) },
    inputs: digest([judged.digest, JSON.stringify(baseline), given.text, ...ranges]),
    notices: [...judged.warnings, ...unjudged, ...baseline.notices, ...given.notices],
    titles: Object.fromEntries(horizons.map((h) => [h.key, h.name])),
    objective: objective.title,
    keep: (round, bests) => writeIntermediate(output, baseline.league, horizons, bests, round),
    report: (result) =>
      tuningReport({
        objective: options.objective,
        horizons,
        baseline: baseline.horizons,
        result,
        evaluator: new ColumnEvaluator(columns),
        ...(left === undefined ? {} : { holdout: new ColumnEvaluator(left) }),
      }),
    write(result, report) {
      mkdirSync(output, { recursive: true });
      writeWinners(output, options.baseline, baseline.league, horizons, result);
      copyOthers(options, horizons);
      writeJson(join(output, "report.json"), report);
    },
    text: (report) => reportText(report, output),
  };
}

/** The search alone, and what it is made from: of the seasons it needs at most the names. */
export function footballSearch(options: FootballOptions, seasons: () => readonly string[]) {
  const horizons = chosenHorizons(options.horizons);
  const baseline = readBaseline(options.baseline, horizons);
  const parameters = chosenParameters(footballParameters(options.ranges), options);
  checkPlaces(
    parameters,
    horizons.map(({ name }): HorizonParameters => baseline.horizons[name] ?? {}),
  );
  const keys = horizons.map((horizon) => horizon.key);
  const given = testValues(options, parameters, keys, (name) => horizonNamed(name)?.key);
  const subject = { horizons, baseline: baseline.horizons, parameters, objective: options.objective };
  const search = options.sampled
    ? footballStudies(options.sampled, { ...subject, seed: options.seed }, seasons)
    : footballTournament({ ...subject, values: given.values, maxPasses: options.maxPasses });
  return { horizons, baseline, given, search };
}

/** What of the football model is tuned. */
interface FootballSubject {
  readonly horizons: readonly Horizon[];
  /** By horizon name, as a baseline folder has them. */
  readonly baseline: Readonly<Record<string, HorizonParameters>>;
  readonly parameters: readonly Parameter[];
  readonly objective: ObjectiveName;
}

export interface FootballTournamentOptions extends FootballSubject {
  readonly values: CandidateValues;
  readonly maxPasses: number;
}

/** The tournament over football's horizons; they are filed under their result keys. */
export function footballTournament(options: FootballTournamentOptions): Tournament<HorizonResult> {
  return new Tournament<HorizonResult>({
    horizons: options.horizons.map((horizon) => horizon.key),
    parameters: options.parameters,
    baseline: baselineByKey(options),
    values: options.values,
    objective: objectives[options.objective],
    maxPasses: options.maxPasses,
  });
}

/** What is tried of `--regularize` when nothing is said. */
const CHARGES = [0, 0.001, 0.02];

/** The same parameters, horizons and objective, searched by a sampler around each horizon's baseline. */
function footballStudies(
  { crossValidate = false, ...sampled }: SampledTuning,
  subject: FootballSubject & { readonly seed: number },
  seasons: () => readonly string[],
): HorizonStudies<HorizonResult> | CrossValidation<HorizonResult> {
  const { wanted, better, value } = objectives[subject.objective];
  const shared = {
    ...sampled,
    horizons: subject.horizons.map((horizon) => horizon.key),
    parameters: subject.parameters,
    baseline: baselineByKey(subject),
    objective: { wanted, better, value },
    seed: subject.seed,
  };
  if (!crossValidate) return new HorizonStudies<HorizonResult>(shared);
  const names = seasons();
  if (names.length < 2) {
    throw new UsageError(
      `--cross-validate leaves out one season after the other: there is only ${names[0]} to tune on`,
    );
  }
  const folds = names.map((name) => {
    const others = (result: HorizonResult) => onSeasons(result, (season) => season !== name);
    return {
      name,
      objective: {
        wanted,
        better: (result: HorizonResult, best: HorizonResult | undefined) =>
          better(others(result), best && others(best)),
        value: (result: HorizonResult) => value(others(result)),
      },
      left: (result: HorizonResult) => value(onSeasons(result, (season) => season === name)),
    };
  });
  const charges = sampled.regularize === undefined ? CHARGES : [0, sampled.regularize];
  return new CrossValidation<HorizonResult>({ ...shared, folds, charges });
}

function baselineByKey({ horizons, baseline }: FootballSubject): Readonly<Record<string, HorizonParameters>> {
  return Object.fromEntries(horizons.map(({ name, key }) => [key, baseline[name] ?? {}]));
}

/** Horizons that were not tuned stay as they are, so that the folder is complete. */
function copyOthers({ baseline, output }: FootballOptions, tuned: readonly Horizon[]): void {
  for (const horizon of HORIZONS) {
    const file = join(baseline, horizon.file);
    if (!tuned.includes(horizon) && existsSync(file)) copyFileSync(file, join(output, horizon.file));
  }
}

function digest(parts: readonly string[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(`${part.length}\0${part}`);
  return hash.digest("hex");
}
