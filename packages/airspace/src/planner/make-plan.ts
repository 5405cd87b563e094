import { random, timed } from "@coppice/engine/evaluator";
import { checkEpisodeOptions, episodeOptions } from "../episode/episode-options.ts";
import { type EpisodePlan, type EpisodeTelemetry, planEpisode } from "../episode/plan-episode.ts";
import { planSampledEpisode } from "../episode/sampled-episode.ts";
import type { Instance } from "../instance/instance.ts";
import type { NetworkScore } from "../network/network-score.ts";
import type { Plan } from "../network/regulation.ts";
import type { Weights } from "../network/weights.ts";
import { PlanEdits } from "../proposals/plan-edits.ts";
import { RegulationSampler } from "../proposals/regulation-sampler.ts";
import { annealPlan, type ScoredPlan } from "./anneal-plan.ts";
import { drawPlans, greedyPlan } from "./baselines.ts";
import { growPlanTree, type TreeShape } from "./plan-tree.ts";
import {
  alongOften,
  editWeightsFor,
  type PlannerOptions,
  rareEdits,
  TREE_SHARE,
  treeOptionsFor,
} from "./planner-options.ts";
import { type PlanningWatch, TimeIsUp, WatchedEvaluator } from "./watched-evaluator.ts";

/** Why a planner ended. */
export type StopReason =
  | "evaluations_exhausted"
  | "time_budget_exhausted"
  | "regulation_limit_reached"
  | "no_commit_available"
  | "no_improvement"
  | "tree_exhausted"
  | "completed";

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
  /** How the best objective fell: after how many evaluations, and to what. */
  readonly convergence: readonly (readonly [evaluations: number, objective: number])[];
  readonly stopReason: StopReason;
  /** How often each kind of action or edit was tried. */
  readonly actionCounts: Readonly<Record<string, number>>;
  /** Of policies that play episodes. */
  readonly episodes?: EpisodeTelemetry;
  /** It would not have begun, had the clock been further on. */
  readonly begunInTime?: true;
}

/** How annealing cools, in the unit of the objective. After a tree a short search begins cooler: it has no time to lose that plan. */
const TEMPERATURE = { first: 5, shortest: 2, last: 0.3 };

/** Plans a day. A pure function of the day, the prices and the options, unless it is given a clock. */
export function makePlan(
  instance: Instance,
  weights: Weights,
  options: PlannerOptions,
  watch: PlanningWatch = {},
): Planning {
  const { policy, evaluations, without } = options;
  const draw = random(options.seed).at("planner");
  const evaluator = new WatchedEvaluator(instance, weights, watch);
  const sampler = new RegulationSampler(instance, evaluator, alongOften(options));
  const remembering = policy === "default" && !without.includes("memory");
  const edits = new PlanEdits(instance, sampler, editWeightsFor(options));
  const nothing: ScoredPlan = { plan: [], objective: evaluator.evaluate([]).objective };
  evaluator.keep();
  const left = () => evaluations - evaluator.evaluations;
  let treeEvaluations = 0;
  let treeNodes = 0;
  let shape: TreeShape | undefined;
  let episodes: EpisodePlan | undefined;
  let stopReason: StopReason = "completed";

  try {
    timed("agent.mcts.run", search);
    // One evaluation may be kept back for a line that is then not chosen.
    if ((watch.clock?.() ?? 0) >= 1) stopReason = "time_budget_exhausted";
    else if (policy !== "empty" && left() <= 1) stopReason = "evaluations_exhausted";
    else if (episodes?.exhausted) stopReason = "tree_exhausted";
  } catch (error) {
    if (!(error instanceof TimeIsUp)) throw error;
    stopReason = "time_budget_exhausted";
  }
  evaluator.report();
  const { plan, score } = evaluator.best ?? { plan: [], score: evaluator.evaluate([]) };
  const { convergence } = evaluator;
  evaluator.release();
  return {
    plan,
    score,
    evaluations: evaluator.evaluations,
    treeEvaluations,
    treeNodes,
    ...(shape === undefined ? {} : { tree: shape }),
    convergence,
    stopReason,
    actionCounts: episodes?.actionCounts ?? edits.counted(),
    ...(episodes === undefined ? {} : { episodes: episodes.telemetry }),
  };

  function search(): void {
    if (policy === "default") {
      const annealing = !without.includes("annealing");
      let start = nothing;
      if (!without.includes("tree")) {
        evaluator.phase = "tree";
        const clock = partOf(0, annealing ? TREE_SHARE : 1);
        const tree = growPlanTree(
          evaluator,
          sampler,
          edits,
          nothing,
          { ...treeOptionsFor(options, left()), clock },
          draw.at("tree"),
        );
        treeEvaluations = evaluator.evaluations - 1;
        shape = tree.shape;
        treeNodes = shape.parent.length;
        start = tree.best;
        if (remembering) edits.memory.addLines(tree.lines);
      }
      if (annealing) anneal(start, without.includes("tree") ? 0 : TREE_SHARE);
    } else if (policy === "plain") {
      evaluator.phase = "episodes";
      const { seed, episode } = options;
      const given = { ...episodeOptions(episode), evaluations: left(), seed };
      checkEpisodeOptions(given);
      episodes =
        given.priors === "sampled"
          ? planSampledEpisode(evaluator, sampler, edits, nothing, given)
          : planEpisode(instance, evaluator, given);
      treeNodes = episodes.telemetry.nodes;
      treeEvaluations = evaluator.evaluations - 1;
    } else if (policy === "annealing") anneal(nothing, 0);
    else {
      evaluator.phase = policy;
      if (policy === "random") drawPlans(evaluator, sampler, nothing, left(), draw);
      else if (policy === "greedy") greedyPlan(evaluator, sampler, nothing, left(), "worst");
      else if (policy === "greedy-all") greedyPlan(evaluator, sampler, nothing, left(), "all");
    }
  }

  function anneal(start: ScoredPlan, after: number): void {
    if (left() < 2) return;
    evaluator.phase = "annealing";
    if (evaluator.plan !== start.plan) {
      evaluator.evaluate(start.plan);
      evaluator.keep();
    }
    const { first, shortest, last } = TEMPERATURE;
    const temperature = { first: after > 0 ? shortest + rareEdits(options) * (first - shortest) : first, last };
    const remember = remembering ? (plan: Plan) => edits.memory.addPlan(plan) : undefined;
    const budget = { evaluations: left(), temperature, remember, clock: partOf(after, 1) };
    annealPlan(evaluator, edits, start, budget, draw.at("annealing"));
  }

  /** The clock between two parts of the whole time. */
  function partOf(from: number, to: number): (() => number) | undefined {
    const { clock } = watch;
    return clock === undefined ? undefined : () => Math.min(1, Math.max(0, (clock() - from) / (to - from)));
  }
}
