import type { PlanEvaluator } from "../network/kernel/plan-evaluator.ts";
import type { ScoredPlan } from "../planner/anneal-plan.ts";

/** Rates tried for each line in the end, around the one it has; besides, the line is left out. */
const RATIOS = [0.5, 0.65, 0.8, 0.9, 1.1, 1.25, 1.45, 1.8];
const TRIALS = RATIOS.length + 1;

/** Evaluations kept back for the end: one pass over the lines, up to three where that is a small part of all. */
export function exactRatesCost(lines: number, evaluations: number): number {
  const pass = TRIALS * lines;
  return pass * Math.min(3, Math.max(1, Math.floor((0.03 * evaluations) / Math.max(1, pass))));
}

/** Tries other rates line by line, and none at all, and keeps what helps, until nothing does or the evaluations are used up. */
export function exactRates(evaluator: PlanEvaluator, cheap: ScoredPlan, lastEvaluation: number): ScoredPlan {
  let { plan, objective } = cheap;
  for (let helped = true; helped; ) {
    helped = false;
    for (let k = plan.length - 1; k >= 0; k--) {
      const before = plan;
      const line = before[k];
      const rates = new Set(RATIOS.map((ratio) => Math.max(1, Math.round(ratio * line.ratePerHour))));
      const others = [...rates].map((ratePerHour) => before.with(k, { ...line, ratePerHour }));
      for (const trial of [before.toSpliced(k, 1), ...others]) {
        if (evaluator.evaluations >= lastEvaluation) return { plan, objective };
        const score = evaluator.evaluate(trial);
        if (score.objective >= objective) continue;
        objective = score.objective;
        plan = trial;
        helped = true;
      }
    }
  }
  return { plan, objective };
}
