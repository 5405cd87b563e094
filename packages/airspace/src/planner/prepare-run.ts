import { hash } from "node:crypto";
import type { Search } from "@coppice/engine";
import { UsageError } from "@coppice/engine/usage-error";
import { checkEpisodeOptions, defaultEpisodeOptions } from "../episode/episode-options.ts";
import { encodeInstance } from "../instance/artifact.ts";
import type { Instance } from "../instance/instance.ts";
import type { Weights } from "../network/weights.ts";
import { CommitSearch, leastEvaluations } from "../stepwise/commit-search.ts";
import type { CommitRules, CommitTask, CommitValue } from "../stepwise/commit-task.ts";
import type { PlannerOptions } from "./planner-options.ts";
import { type OuterRuns, type RootResult, RootSearch, type RootTask, type RootValue } from "./root-search.ts";

/** Everything the engine needs to plan a day: the search, its evaluator, the prices, and the day as shared bytes. */
export interface PreparedPlanning<Candidate, Value> {
  readonly search: Search<Candidate, Value, RootResult>;
  readonly evaluator: URL;
  readonly context: Weights;
  readonly shared: { readonly instance: SharedArrayBuffer };
  /** A run is resumed only on the same day. */
  readonly inputs: string;
}

/** Prepares independent searches, each of which plans the day in a worker. */
export function preparePlanning(
  instance: Instance,
  weights: Weights,
  options: PlannerOptions,
  roots: number,
  outer: OuterRuns = { runs: 1 },
): PreparedPlanning<RootTask, RootValue> {
  checkEpisodeOptions({ ...defaultEpisodeOptions, ...options.episode });
  const evaluator = new URL("./root-evaluator.ts", import.meta.url);
  return { search: new RootSearch(options, roots, outer), evaluator, ...dayOf(instance, weights) };
}

/** Prepares a search whose leaves, regulations with their rates, are evaluated in workers. */
export function prepareCommits(
  instance: Instance,
  weights: Weights,
  options: PlannerOptions,
  rules: CommitRules,
  roots: number,
  outer: OuterRuns = { runs: 1 },
): PreparedPlanning<CommitTask, CommitValue> {
  const episode = { ...defaultEpisodeOptions, ...options.episode };
  checkEpisodeOptions(episode);
  const { seed, evaluations } = options;
  const commits = { ...rules, seed, evaluations, roots, episode, outer };
  const least = leastEvaluations(instance, commits);
  if (evaluations < least) {
    throw new UsageError(`${evaluations} evaluations: with exact rates one plan may take ${least}; allow that many`);
  }
  const search = new CommitSearch(instance, weights, commits);
  const evaluator = new URL("../stepwise/commit-evaluator.ts", import.meta.url);
  return { search, evaluator, ...dayOf(instance, weights) };
}

function dayOf(instance: Instance, weights: Weights) {
  const bytes = encodeInstance(instance);
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return { context: weights, shared: { instance: shared }, inputs: hash("sha256", bytes) };
}
