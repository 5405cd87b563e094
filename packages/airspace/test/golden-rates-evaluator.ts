import { defineEvaluator } from "@coppice/engine/evaluator";
import type { RateVector } from "../src/rate-search/rate-search.ts";
import { goldenSearches } from "./golden-rates.ts";

/** A rate vector of one of the published searches. */
export interface GoldenVector {
  readonly search: number;
  readonly vector: RateVector;
}

/** Scores rate vectors of all published searches, so that one start of a worker serves them all. */
export default defineEvaluator({
  setup: () => goldenSearches.map(({ finder, task }) => finder().prepare(task)),
  evaluate: (prepared, { search, vector }: GoldenVector) => prepared[search]?.evaluate(vector) ?? Number.NaN,
});
