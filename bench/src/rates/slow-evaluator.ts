import type { RateVector, TableHeader } from "@coppice/airspace";
import rateEvaluator from "@coppice/airspace/rate-evaluator";
import { defineEvaluator, type Task } from "@coppice/engine/evaluator";

/** What the evaluator is set up with: the tables' header, and how long a candidate shall take. */
export interface SlowContext {
  readonly header: TableHeader;
  readonly costMs: number;
}

/** Scores rates like the real evaluator, after keeping its core busy for a while: a model that costs more. */
export default defineEvaluator({
  setup: async ({ header, costMs }: SlowContext, shared: Readonly<Record<string, SharedArrayBuffer>>) => ({
    kernel: await rateEvaluator.setup?.(header, shared),
    costMs,
  }),
  evaluate: ({ kernel, costMs }, vector: RateVector, task: Task) => {
    if (kernel === undefined) throw new Error("the rate evaluator has no setup");
    const end = performance.now() + costMs;
    while (performance.now() < end);
    return rateEvaluator.evaluate(kernel, vector, task);
  },
});
