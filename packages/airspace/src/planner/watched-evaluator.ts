import type { Instance } from "../instance/instance.ts";
import type { NetworkScore } from "../network/network-score.ts";
import { PlanEvaluator } from "../network/plan-evaluator.ts";
import type { Plan } from "../network/regulation.ts";
import type { Weights } from "../network/weights.ts";

/** How far a planner is. */
export interface PlanningProgress {
  readonly evaluations: number;
  readonly best: number;
}

/** Evaluations between two reports of progress. */
const REPORT_EVERY = 500;

/** An evaluator that remembers the best plan it ever scored, and when. */
export class WatchedEvaluator extends PlanEvaluator {
  /** Best objective after so many evaluations, each time it fell. */
  readonly convergence: [evaluations: number, objective: number][] = [];
  best: { readonly plan: Plan; readonly score: NetworkScore } | undefined;
  readonly #onProgress: (progress: PlanningProgress) => void;

  constructor(instance: Instance, weights: Weights, onProgress: (progress: PlanningProgress) => void) {
    super(instance, weights);
    this.#onProgress = onProgress;
  }

  override evaluate(plan: Plan): NetworkScore {
    const score = super.evaluate(plan);
    if (this.best === undefined || score.objective < this.best.score.objective) {
      this.best = { plan, score };
      this.convergence.push([this.evaluations, score.objective]);
    }
    if (this.evaluations % REPORT_EVERY === 0) {
      this.#onProgress({ evaluations: this.evaluations, best: this.best.score.objective });
    }
    return score;
  }
}
