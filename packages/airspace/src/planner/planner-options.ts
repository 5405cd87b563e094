import type { PlanTreeOptions } from "./plan-tree.ts";

/** How plans are searched for. `default` is a tree of sampled and tuned plans, then annealing on plan edits; `plain` plays episodes. */
export const plannerPolicies = ["default", "plain", "annealing", "greedy", "greedy-all", "random", "empty"] as const;
export type PlannerPolicy = (typeof plannerPolicies)[number];

/** Parts of the default policy that can be switched off one by one, so that their effect can be shown. */
export const plannerParts = ["tree", "tuning", "rerooting", "minmax", "memory", "annealing"] as const;
export type PlannerPart = (typeof plannerParts)[number];

/** What shapes a plan, besides the day and its prices. */
export interface PlannerOptions {
  readonly policy: PlannerPolicy;
  readonly seed: number;
  /** Plan evaluations that may be used, partial and undone ones included. */
  readonly evaluations: number;
  /** Parts of the default policy that are switched off. */
  readonly without: readonly PlannerPart[];
}

/** Share of the evaluations that the tree may use; the rest is annealing's. */
const TREE_SHARE = 0.31;

/** How the tree uses its share of a budget: what a node costs and how often the root moves on grow slowly with it. */
export function treeOptionsFor({ evaluations, without }: PlannerOptions, left: number): PlanTreeOptions {
  const fourthRoot = evaluations ** 0.25;
  return {
    evaluations: without.includes("annealing") ? left : Math.min(left, Math.ceil(TREE_SHARE * evaluations)),
    samples: Math.max(4, Math.round(0.2 * fourthRoot ** 2)),
    tuning: without.includes("tuning") ? 0 : Math.max(4, Math.round(3.3 * fourthRoot)),
    reroots: without.includes("rerooting") ? 0 : Math.round(1.75 * fourthRoot),
    minmax: !without.includes("minmax"),
    exploration: 4,
  };
}
