import type { EpisodeOptions } from "../episode/episode-options.ts";
import { type EditWeights, editWeights } from "../proposals/plan-edits.ts";
import type { PlanTreeOptions } from "./plan-tree.ts";

/** How plans are searched for. `default` is a tree of sampled and tuned plans, then annealing on plan edits; `plain` plays episodes. */
export const plannerPolicies = ["default", "plain", "annealing", "greedy", "greedy-all", "random", "empty"] as const;
type PlannerPolicy = (typeof plannerPolicies)[number];

/** Parts of the default policy that can be switched off one by one, so that their effect can be shown. */
export const plannerParts = [
  "tree",
  "tuning",
  "rerooting",
  "minmax",
  "memory",
  "recall",
  "along",
  "splitting",
  "exchange",
  "annealing",
] as const;
export type PlannerPart = (typeof plannerParts)[number];

/** What shapes a plan, besides the day and its prices. */
export interface PlannerOptions {
  readonly policy: PlannerPolicy;
  readonly seed: number;
  /** Plan evaluations that may be used, partial and undone ones included. */
  readonly evaluations: number;
  /** Parts of the default policy that are switched off. */
  readonly without: readonly PlannerPart[];
  /** Time after which a root ends with what it has, in milliseconds (D4); it then paces itself by the clock. */
  readonly timeMs?: number;
  /** How episodes are played, where it differs from the usual. */
  readonly episode?: Partial<EpisodeOptions>;
}

/** Share of the evaluations, or of the time, that the tree may use; the rest is annealing's. */
export const TREE_SHARE = 0.31;

/** Evaluations per second that a limit in time is planned with; how many there are really is seen as they come. */
const NOMINAL_PACE = 10_000;

/** From this many evaluations on, rare edits are tried as often as they ever are. */
const LONG_SEARCH = 20_000;

/** How often edits that seldom pay are tried, from 0 to 1: a short search has no time for them. */
export function rareEdits(options: PlannerOptions): number {
  return Math.min(1, Math.sqrt(plannedEvaluations(options) / LONG_SEARCH));
}

/** How often each kind of edit is tried; only long searches of the default policy gain by exchanging and recalling. */
export function editWeightsFor(options: PlannerOptions): EditWeights {
  const { policy, without } = options;
  const often = rareEdits(options);
  const usual = policy === "default";
  return editWeights({
    exchange: usual && !without.includes("exchange") ? often ** 2 : 0,
    splitting: without.includes("splitting") ? 0 : often,
    recall: usual && !without.includes("memory") && !without.includes("recall") ? often ** 2 : 0,
  });
}

/** How often, of what is usual, lines are drawn elsewhere on the way of a hotspot's flights. */
export function alongOften(options: PlannerOptions): number {
  return options.without.includes("along") ? 0 : rareEdits(options);
}

/** How the tree uses its share of a budget: what a node costs and how often the root moves on grow slowly with it. */
export function treeOptionsFor(options: PlannerOptions, left: number): PlanTreeOptions {
  const { evaluations, timeMs, without } = options;
  const fourthRoot = plannedEvaluations(options) ** 0.25;
  const share = without.includes("annealing") || timeMs !== undefined ? left : Math.ceil(TREE_SHARE * evaluations);
  return {
    evaluations: Math.min(left, share),
    samples: Math.max(4, Math.round(0.3 * fourthRoot ** 2)),
    tuning: without.includes("tuning") ? 0 : Math.max(4, Math.round(3.3 * fourthRoot)),
    reroots: without.includes("rerooting") ? 0 : Math.round(1.75 * fourthRoot),
    minmax: !without.includes("minmax"),
    exploration: 8,
  };
}

function plannedEvaluations({ evaluations, timeMs }: PlannerOptions): number {
  return timeMs === undefined ? evaluations : Math.min(evaluations, (timeMs / 1000) * NOMINAL_PACE);
}
