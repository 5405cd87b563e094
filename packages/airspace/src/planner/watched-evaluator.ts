import type { Instance } from "../instance/instance.ts";
import { PlanEvaluator } from "../network/kernel/plan-evaluator.ts";
import type { NetworkScore } from "../network/network-score.ts";
import type { Plan } from "../network/regulation.ts";
import type { Weights } from "../network/weights.ts";

/** How far a planner is. */
interface PlanningProgress {
  readonly evaluations: number;
  readonly best: number;
  /** What it is doing: `tree`, `annealing`, … */
  readonly phase: string;
}

/** Who looks on while a plan is made. */
export interface PlanningWatch {
  readonly progress?: (progress: PlanningProgress) => void;
  /** Part of the time that is over, from 1 on all of it; without it only evaluations limit the planner. */
  readonly clock?: () => number;
  /** Scores plans to the end that are not wanted, too: the same plan, later. To measure what stopping gains. */
  readonly toTheEnd?: true;
}

/** The clock says that a planner has had its time. */
export class TimeIsUp extends Error {
  override readonly name = "TimeIsUp";
}

/** Evaluations between two reports of progress. */
const REPORT_EVERY = 500;

/** Evaluations between two looks at the clock. */
const CLOCK_EVERY = 16;

/** An evaluator that remembers the best plan it ever scored, and when; it throws {@link TimeIsUp} when the clock says so. */
export class WatchedEvaluator extends PlanEvaluator {
  /** How the best objective fell: after how many evaluations, and to what. */
  readonly convergence: [evaluations: number, objective: number][] = [];
  best: { readonly plan: Plan; readonly score: NetworkScore } | undefined;
  phase = "start";
  readonly #watch: PlanningWatch;

  constructor(instance: Instance, weights: Weights, watch: PlanningWatch, draws?: readonly Float64Array[]) {
    super(instance, weights, draws);
    this.#watch = watch;
  }

  override evaluate(plan: Plan, most?: number, known?: boolean): NetworkScore {
    const { progress, clock, toTheEnd } = this.#watch;
    if (clock !== undefined && this.evaluations % CLOCK_EVERY === 0 && this.evaluations > 0 && clock() >= 1) {
      throw new TimeIsUp();
    }
    const score = super.evaluate(plan, toTheEnd ? undefined : most, known);
    if (this.best === undefined || score.objective < this.best.score.objective) {
      this.best = { plan, score };
      this.convergence.push([this.evaluations, score.objective]);
    }
    if (progress !== undefined && this.evaluations % REPORT_EVERY === 0) this.report();
    return score;
  }

  /** Forgets the best plan and how it was found: another search begins. */
  startOver(): void {
    this.best = undefined;
    this.convergence.length = 0;
  }

  /** Says how far the planner is. */
  report(): void {
    const { evaluations, phase, best } = this;
    if (best !== undefined) this.#watch.progress?.({ evaluations, best: best.score.objective, phase });
  }
}
