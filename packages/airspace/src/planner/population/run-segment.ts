import { random, timed } from "@coppice/engine/evaluator";
import type { Instance } from "../../instance/instance.ts";
import type { Plan } from "../../network/regulation.ts";
import type { Weights } from "../../network/weights.ts";
import { PlanEdits } from "../../proposals/plan-edits.ts";
import { RegulationSampler } from "../../proposals/regulation-sampler.ts";
import { annealPlan, type ScoredPlan } from "../anneal-plan.ts";
import { growPlanTree } from "../plan-tree.ts";
import { alongOften, editWeightsFor, treeOptionsFor } from "../planner-options.ts";
import { WatchedEvaluator } from "../watched-evaluator.ts";
import { type PackedPlan, packPlan, unpackPlan } from "./packed-plan.ts";
import type { Scoring, Segment, SegmentValue } from "./segment.ts";
import { recall } from "./shared-memory.ts";

/** Runs segments of one day one after the other; what it did before changes neither a segment's value nor its count of evaluations. */
export class SegmentRunner {
  readonly #instance: Instance;
  readonly #weights: Weights;
  readonly #onDay: WatchedEvaluator;
  readonly #overDraws: WatchedEvaluator;

  /** Without draws of the weather the day's own capacity is the only one. */
  constructor(instance: Instance, weights: Weights, draws: readonly Float64Array[] = []) {
    this.#instance = instance;
    this.#weights = weights;
    this.#onDay = new WatchedEvaluator(instance, weights, {});
    this.#overDraws = draws.length === 0 ? this.#onDay : new WatchedEvaluator(instance, weights, {}, draws);
  }

  #evaluatorFor({ delayMinute = this.#weights.delayMinute, overDraws }: Scoring): WatchedEvaluator {
    const evaluator = overDraws ? this.#overDraws : this.#onDay;
    evaluator.weights = { ...this.#weights, delayMinute };
    return evaluator;
  }

  run(segment: Segment): SegmentValue {
    const evaluator = this.#evaluatorFor(segment.scoring ?? {});
    const { planner } = segment;
    const begun = evaluator.evaluations;
    evaluator.startOver();
    // Always scored again: whether the worker knows this plan already depends on what it did before.
    const plan = unpackPlan(segment.start);
    const score = evaluator.evaluate(plan);
    const start: ScoredPlan = { plan, objective: score.objective };
    evaluator.keep();
    const sampler = new RegulationSampler(this.#instance, evaluator, alongOften(planner));
    const edits = new PlanEdits(this.#instance, sampler, editWeightsFor(planner), recall(segment.memory));
    const draw = random(planner.seed).at("population").at(segment.round).at(segment.walker);
    const passed: PackedPlan[] = [];
    const remember = (on: Plan) => {
      edits.memory.addPlan(on);
      passed.push(packPlan(on));
    };
    const evaluations = segment.evaluations - 1;
    let end = start;
    let tree: SegmentValue["tree"];
    if (evaluations === 0) evaluator.discard();
    else if (segment.kind === "tree") {
      // Nodes as costly as in a tree of the whole search: a few well chosen lines are a better start than many.
      const options = { ...treeOptionsFor(planner, evaluations), evaluations };
      const grown = timed("agent.mcts.run", () => growPlanTree(evaluator, sampler, edits, start, options, draw));
      end = grown.best;
      tree = { shape: grown.shape, lines: packPlan(grown.lines) };
    } else {
      const { temperature } = segment;
      const remembering = planner.without.includes("memory") ? undefined : remember;
      const budget = { evaluations, temperature, remember: remembering };
      end = timed("agent.mcts.run", () => annealPlan(evaluator, edits, start, budget, draw)).end;
    }
    const best = evaluator.best ?? { plan, score };
    return {
      evaluations: evaluator.evaluations - begun,
      end: { plan: packPlan(end.plan), objective: end.objective },
      best: { plan: packPlan(best.plan), score: best.score },
      passed,
      ...(tree === undefined ? {} : { tree }),
      edits: edits.counted(),
    };
  }
}
