import type { Search } from "@coppice/engine";
import type { Instance } from "../instance/instance.ts";
import { PlanEvaluator } from "../network/kernel/plan-evaluator.ts";
import type { Weights } from "../network/weights.ts";
import type { Planning } from "../planner/make-plan.ts";
import type { PlannerOptions } from "../planner/planner-options.ts";
import { type PopulationResult, PopulationSearch } from "../planner/population/population-search.ts";
import type { PopulationShape } from "../planner/population/population-shape.ts";
import type { Segment, SegmentValue } from "../planner/population/segment.ts";
import { SeveralPopulations } from "../planner/population/several-populations.ts";

/** A plan made for many draws of the weather, and the one that the same search finds for the forecast alone. */
export interface RobustResult extends PopulationResult {
  readonly plain: Planning | undefined;
}

/**
 * Two populations, alike but for what they score plans by: the forecast, and the mean over all draws. Of their plans the
 * one that costs less over the draws is taken.
 */
export function robustSearch(
  instance: Instance,
  weights: Weights,
  draws: readonly Float64Array[],
  options: PlannerOptions,
  shape: PopulationShape,
): Search<Segment, SegmentValue, RobustResult> {
  const population = () => new PopulationSearch(options, shape);
  return new SeveralPopulations(
    [
      { name: "forecast", search: population(), scoring: {} },
      { name: "draws", search: population(), scoring: { overDraws: true } },
    ],
    ([forecast, overDraws]): RobustResult => {
      const plain = forecast.best;
      if (plain === undefined) return { ...overDraws, plain };
      const score = new PlanEvaluator(instance, weights, draws).evaluate(plain.plan);
      const least = overDraws.best?.score.objective ?? Number.POSITIVE_INFINITY;
      if (least <= score.objective) return { ...overDraws, plain };
      return { ...forecast, best: { ...plain, score }, plain };
    },
  );
}
