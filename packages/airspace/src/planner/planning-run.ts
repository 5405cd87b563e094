import { hash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Resources, Search } from "@coppice/engine";
import { PAGE_NAME, type PreparedRun } from "@coppice/engine/session";
import { UsageError } from "@coppice/engine/usage-error";
import { checkEpisodeOptions, episodeOptions } from "../episode/episode-options.ts";
import { frontFiles } from "../front/front-answer.ts";
import { type FrontResult, frontSearch } from "../front/front-search.ts";
import { openDay } from "../import/open-day.ts";
import { encodeInstance } from "../instance/artifact.ts";
import type { Instance } from "../instance/instance.ts";
import type { Weights } from "../network/weights.ts";
import { planFileContent } from "../plan/plan-content.ts";
import { planExport } from "../plan/plan-export.ts";
import { type RobustResult, robustSearch } from "../robust/robust-search.ts";
import { type Robustness, robustnessOf } from "../robust/robustness.ts";
import { plannedDraws } from "../robust/weather-draws.ts";
import { CommitSearch, leastForCommits } from "../stepwise/commit-search.ts";
import type { CommitRules, CommitTask, CommitValue } from "../stepwise/commit-task.ts";
import type { PlannerOptions } from "./planner-options.ts";
import type { PlanningRecord } from "./planning-record.ts";
import { planningJson, planningText } from "./planning-text.ts";
import { type PopulationResult, PopulationSearch } from "./population/population-search.ts";
import type { PopulationShape } from "./population/population-shape.ts";
import type { Segment, SegmentValue } from "./population/segment.ts";
import { type OuterRuns, type RootResult, RootSearch, type RootTask, type RootValue } from "./root-search.ts";

/** What a search for a plan ends with: that of independent roots (or commits), or that of populations. */
export type PlanningResult = RootResult | PopulationResult | RobustResult | FrontResult;

/** Name under which recorded searches for a plan are prepared again. */
const TOOL = "flow-plan";

/** A search for a plan as the engine wants it; the same for a start, a resume and a verification. */
export function planningRun(
  record: PlanningRecord,
  resources: Resources = {},
): PreparedRun<unknown, unknown, PlanningResult> {
  const { weights, out, report } = record;
  const instance = openDay(record);
  const filesOf = (directory: string) => ({
    plan: out ?? join(directory, "plan.json"),
    report: report ?? join(directory, PAGE_NAME),
    ...(record.robust === undefined ? {} : { plain: join(directory, PLAIN) }),
    ...(record.front === undefined ? {} : { front: join(directory, "front") }),
  });
  return {
    tool: TOOL,
    record: () => record,
    shape: { seed: record.planner.seed },
    resources,
    ...searchOf(instance, record),
    finish(result, directory) {
      const robustness = robustnessFor(instance, record, result);
      const planText = fileText(planExport(instance, weights, result, robustness));
      for (const path of [join(directory, "plan.json"), ...given(out)]) writeFileSync(path, planText);
      const front = "front" in result ? frontFiles(instance, weights, result.front) : [];
      for (const [name, text] of front) {
        mkdirSync(dirname(join(directory, name)), { recursive: true });
        writeFileSync(join(directory, name), text);
      }
      if ("plain" in result && result.plain !== undefined) {
        writeFileSync(join(directory, PLAIN), fileText(planFileContent(result.plain.plan, instance, weights)));
      }
    },
    pages: () => given(report),
    describe: (result, directory) =>
      planningText(instance, weights, result, filesOf(directory), robustnessFor(instance, record, result)),
    document: (result, directory) => ({
      ...planningJson(instance, weights, result, robustnessFor(instance, record, result)),
      files: filesOf(directory),
    }),
    exitCode: (end) => (end.state === "done" && end.result.best === undefined ? 1 : undefined),
  };
}

/** The plan for the forecast alone, beside the robust one. */
const PLAIN = "plain.json";

function fileText(content: object): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** What a robust plan costs and saves; undefined where none was asked for, or one of the two was not found. */
function robustnessFor(instance: Instance, record: PlanningRecord, result: PlanningResult): Robustness | undefined {
  const { robust: count, weights, planner } = record;
  if (count === undefined || !("plain" in result) || result.plain === undefined || result.best === undefined) return;
  const plans = { plain: result.plain.plan, robust: result.best.plan };
  return robustnessOf(instance, weights, { count, seed: planner.seed }, plans);
}

function given(path: string | undefined): string[] {
  return path === undefined ? [] : [path];
}

function searchOf(instance: Instance, record: PlanningRecord): PreparedSearch<unknown, unknown> {
  const { weights, planner, roots = 1, population, commits, outer } = record;
  const runs = outer === undefined ? { runs: 1 } : { runs: Number.POSITIVE_INFINITY, ...outer };
  const prepared =
    population !== undefined
      ? preparePopulations(instance, record, population)
      : commits === undefined
        ? prepareRoots(instance, weights, planner, roots, runs)
        : prepareCommits(instance, weights, planner, commits, roots, runs);
  // Cast: the engine hands the search nothing but what its own evaluator answers.
  return prepared as PreparedSearch<unknown, unknown>;
}

/** What the engine needs to plan a day: the search, its evaluator, the prices, and the day as shared bytes. */
export interface PreparedSearch<Candidate, Value, Result = PlanningResult> {
  readonly search: Search<Candidate, Value, Result>;
  readonly evaluator: URL;
  readonly context: Weights;
  readonly shared: { readonly instance: SharedArrayBuffer; readonly draws?: SharedArrayBuffer };
  /** A run is resumed only on the same day. */
  readonly inputs: string;
}

/** Prepares independent searches, each of which plans the day in a worker. */
export function prepareRoots(
  instance: Instance,
  weights: Weights,
  options: PlannerOptions,
  roots: number,
  outer: OuterRuns = { runs: 1 },
): PreparedSearch<RootTask, RootValue, RootResult> {
  checkEpisodeOptions(episodeOptions(options.episode));
  const evaluator = new URL("./root-evaluator.ts", import.meta.url);
  return { search: new RootSearch(options, roots, outer), evaluator, ...dayOf(instance, weights) };
}

/** Prepares walkers that search together, segment by segment. */
export function preparePopulation(
  instance: Instance,
  weights: Weights,
  options: PlannerOptions,
  shape: PopulationShape,
): PreparedSearch<Segment, SegmentValue, PopulationResult> {
  return { search: new PopulationSearch(options, shape), evaluator: segments, ...dayOf(instance, weights) };
}

/** One population, or several of them for many draws of the weather or prices of delay. */
function preparePopulations(instance: Instance, record: PlanningRecord, shape: PopulationShape) {
  const { weights, planner, robust, front } = record;
  if (robust !== undefined) return prepareRobust(instance, weights, planner, shape, robust);
  if (front === undefined) return preparePopulation(instance, weights, planner, shape);
  return { search: frontSearch(weights, front, planner, shape), evaluator: segments, ...dayOf(instance, weights) };
}

/** Prepares walkers that plan for so many draws of the weather, and others that plan for the forecast alone. */
function prepareRobust(
  instance: Instance,
  weights: Weights,
  options: PlannerOptions,
  shape: PopulationShape,
  count: number,
): PreparedSearch<Segment, SegmentValue, RobustResult> {
  const draws = plannedDraws(instance, count, options.seed);
  const search = robustSearch(instance, weights, draws, options, shape);
  const all = Float64Array.from(draws.flatMap((draw) => [...draw]));
  const { shared, inputs, ...day } = dayOf(instance, weights);
  return {
    search,
    evaluator: segments,
    ...day,
    shared: { ...shared, draws: sharedBytes(new Uint8Array(all.buffer)) },
    inputs: hash("sha256", `${inputs} ${hash("sha256", all)}`),
  };
}

const segments = new URL("./population/segment-evaluator.ts", import.meta.url);

/** Prepares a search whose leaves, regulations with their rates, are evaluated in workers. */
export function prepareCommits(
  instance: Instance,
  weights: Weights,
  options: PlannerOptions,
  rules: CommitRules,
  roots: number,
  outer: OuterRuns = { runs: 1 },
): PreparedSearch<CommitTask, CommitValue, RootResult> {
  const episode = episodeOptions(options.episode);
  checkEpisodeOptions(episode);
  const { seed, evaluations } = options;
  const commits = { ...rules, seed, evaluations, roots, episode, outer };
  const least = leastForCommits(instance, commits);
  if (evaluations < least) {
    throw new UsageError(`${evaluations} evaluations: with exact rates one plan may take ${least}; allow that many`);
  }
  const search = new CommitSearch(instance, weights, commits);
  const evaluator = new URL("../stepwise/commit-evaluator.ts", import.meta.url);
  return { search, evaluator, ...dayOf(instance, weights) };
}

function dayOf(instance: Instance, weights: Weights) {
  const bytes = encodeInstance(instance);
  return { context: weights, shared: { instance: sharedBytes(bytes) }, inputs: hash("sha256", bytes) };
}

function sharedBytes(bytes: Uint8Array): SharedArrayBuffer {
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return shared;
}
