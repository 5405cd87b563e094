import { random } from "@coppice/engine";
import { defaultEpisodeOptions } from "../episode/episode-options.ts";
import { planEpisode } from "../episode/plan-episode.ts";
import type { Instance } from "../instance/instance.ts";
import type { NetworkScore } from "../network/network-score.ts";
import type { Plan } from "../network/regulation.ts";
import type { Weights } from "../network/weights.ts";
import { annealPlan, type ScoredPlan } from "./anneal-plan.ts";
import { drawPlans, greedyPlan } from "./baselines.ts";
import { PlanEdits } from "./plan-edits.ts";
import { growPlanTree, type TreeShape } from "./plan-tree.ts";
import { type PlannerOptions, treeOptionsFor } from "./planner-options.ts";
import { RegulationSampler } from "./regulation-sampler.ts";
import { type PlanningProgress, WatchedEvaluator } from "./watched-evaluator.ts";

/** What a planner found and what it took. */
export interface Planning {
  readonly plan: Plan;
  readonly score: NetworkScore;
  readonly evaluations: number;
  /** Evaluations spent in the tree, and nodes it has. */
  readonly treeEvaluations: number;
  readonly treeNodes: number;
  /** The tree of the default policy. */
  readonly tree?: TreeShape;
  /** Best objective after so many evaluations, each time it fell. */
  readonly convergence: readonly (readonly [evaluations: number, objective: number])[];
}

/** How annealing cools, in the unit of the objective. */
const TEMPERATURE = { first: 5, last: 0.3 };

/** Plans a day. A pure function of the day, the prices and the options. */
export function makePlan(
  instance: Instance,
  weights: Weights,
  options: PlannerOptions,
  onProgress: (progress: PlanningProgress) => void = () => {},
): Planning {
  const { policy, evaluations, without } = options;
  const draw = random(options.seed).at("planner");
  const evaluator = new WatchedEvaluator(instance, weights, onProgress);
  const sampler = new RegulationSampler(instance, evaluator);
  const edits = new PlanEdits(instance, sampler);
  const nothing: ScoredPlan = { plan: [], objective: evaluator.evaluate([]).objective };
  evaluator.keep();
  const left = () => evaluations - evaluator.evaluations;
  let treeEvaluations = 0;
  let treeNodes = 0;
  let shape: TreeShape | undefined;

  if (policy === "default") {
    let start = nothing;
    if (!without.includes("tree")) {
      const tree = growPlanTree(evaluator, sampler, edits, nothing, treeOptionsFor(options, left()), draw.at("tree"));
      treeEvaluations = evaluator.evaluations - 1;
      shape = tree.shape;
      treeNodes = shape.parent.length;
      start = tree.best;
      if (!without.includes("memory")) edits.remember(tree.lines);
    }
    if (!without.includes("annealing")) anneal(start);
  } else if (policy === "plain") {
    const { seed } = options;
    const episodes = { ...defaultEpisodeOptions, evaluations: left(), seed, exploration: 1 };
    treeNodes = planEpisode(instance, evaluator, episodes).telemetry.nodes;
    treeEvaluations = evaluator.evaluations - 1;
  } else if (policy === "annealing") anneal(nothing);
  else if (policy === "random") drawPlans(evaluator, sampler, nothing, left(), draw);
  else if (policy === "greedy") greedyPlan(evaluator, sampler, nothing, left(), "worst");
  else if (policy === "greedy-all") greedyPlan(evaluator, sampler, nothing, left(), "all");

  const { plan, score } = evaluator.best ?? { plan: [], score: evaluator.evaluate([]) };
  const { convergence } = evaluator;
  const found = { plan, score, evaluations: evaluator.evaluations, treeEvaluations, treeNodes, convergence };
  return shape === undefined ? found : { ...found, tree: shape };

  function anneal(start: ScoredPlan): void {
    if (left() < 2) return;
    if (evaluator.plan !== start.plan) {
      evaluator.evaluate(start.plan);
      evaluator.keep();
    }
    annealPlan(evaluator, edits, start, { evaluations: left(), temperature: TEMPERATURE }, draw.at("annealing"));
  }
}
