import type { FrontPoint } from "../front/front-search.ts";
import { MOST_CHILDREN, type TreeShape } from "../planner/plan-tree.ts";
import type { PlanningResult } from "../planner/planning-run.ts";
import type { PopulationResult } from "../planner/population/population-search.ts";
import type { RootResult, RootSummary } from "../planner/root-search.ts";
import { type Robustness, robustnessTable } from "../robust/robustness.ts";

/** How a plan was found, as pages show it. */
export interface SearchView {
  readonly evaluations: number;
  /** Searches side by side: each with how its objective fell, or walkers that went on with each other's plans. */
  readonly by: RootsView | WalkersView;
  /** Plans of the tree that the best one goes back to, how many more there are, and the prior of each: they are equally likely. */
  readonly tree?: TreeShape & { readonly left: number; readonly prior: number };
  /** What delay buys, the lowest price of a minute first. */
  readonly front?: readonly FrontView[];
  /** What the plan costs if the weather comes differently. */
  readonly weather?: ReturnType<typeof robustnessTable>;
}

/** Independent searches. */
export interface RootsView extends Pick<RootResult, "bestRoot"> {
  readonly kind: "roots";
  /** Without how they went, where there are many of them. */
  readonly roots: readonly RootSummary[];
}

/** Walkers that search together, round by round. */
export interface WalkersView extends Pick<PopulationResult, "walkers" | "rounds" | "bestAt"> {
  readonly kind: "walkers";
}

/** A plan for a price of delay. */
export interface FrontView extends Pick<FrontPoint, "delayMinute" | "onFront"> {
  readonly delayMinutes: number;
  readonly exceedance: number;
  readonly regulations: number;
  readonly objective: number;
}

/** More are not drawn, so that a page stays small. */
const MOST_LINES = 12;
const MOST_NODES = 3000;

/** What there is to see of how a plan was found. */
export function searchView(result: PlanningResult, robustness: Robustness | undefined): SearchView {
  const tree = result.best?.tree;
  return {
    evaluations: result.evaluations,
    by: "roots" in result ? rootsView(result) : walkersView(result),
    ...(tree === undefined ? {} : { tree: firstNodes(tree) }),
    ...("front" in result ? { front: result.front.map(frontView) } : {}),
    ...(robustness === undefined ? {} : { weather: robustnessTable(robustness) }),
  };
}

function rootsView({ roots, bestRoot }: RootResult): RootsView {
  const drawn = roots.map((root, at) =>
    at < MOST_LINES || root.root === bestRoot ? root : { ...root, convergence: [] },
  );
  return { kind: "roots", bestRoot, roots: drawn };
}

function walkersView({ walkers, rounds, bestAt }: PopulationResult): WalkersView {
  return { kind: "walkers", walkers, rounds, bestAt };
}

function frontView({ delayMinute, onFront, score }: FrontPoint): FrontView {
  const { delayMinutes, exceedance, regulations, objective } = score;
  return { delayMinute, onFront, delayMinutes, exceedance, regulations, objective };
}

/** The first nodes, and the way to the best of all: parents come before their children. */
function firstNodes({ parent, objective, lines }: TreeShape): NonNullable<SearchView["tree"]> {
  const best = objective.reduce((least, value, node) => (value < objective[least] ? node : least), 0);
  const kept = new Set(Array.from({ length: Math.min(MOST_NODES, parent.length) }, (_, node) => node));
  for (let node = best; node >= 0 && parent.length > 0; node = parent[node]) kept.add(node);
  const nodes = [...kept].sort((a, b) => a - b);
  const row = new Map(nodes.map((node, at) => [node, at]));
  return {
    parent: nodes.map((node) => row.get(parent[node]) ?? -1),
    objective: nodes.map((node) => objective[node]),
    lines: nodes.map((node) => lines[node]),
    left: parent.length - nodes.length,
    prior: 1 / MOST_CHILDREN,
  };
}
