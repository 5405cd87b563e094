import type { RateVector, TableHeader } from "@coppice/airspace";
import rateEvaluator from "@coppice/airspace/rate-evaluator";
import { defineEvaluator, type Task } from "@coppice/engine/evaluator";
import { doWork } from "../pool/work.ts";

/** What the evaluator is set up with: the tables' header, and how much more work a candidate shall be. */
export interface SlowContext {
  readonly header: TableHeader;
  readonly iterations: number;
}

interface SlowState {
  readonly kernel: Parameters<typeof rateEvaluator.evaluate>[0] | undefined;
  readonly work: Parameters<typeof doWork>[0];
}

/** Scores rates like the real evaluator, after a fixed amount of arithmetic: a model that costs more. */
export default defineEvaluator({
  setup: async (
    { header, iterations }: SlowContext,
    shared: Readonly<Record<string, SharedArrayBuffer>>,
  ): Promise<SlowState> => ({
    kernel: await rateEvaluator.setup?.(header, shared, {}),
    work: { iterations, payload: "" },
  }),
  evaluate: ({ kernel, work }, vector: RateVector, task: Task) => {
    if (kernel === undefined) throw new Error("the rate evaluator has no setup");
    if (doWork(work) < 0) throw new Error("never: the work must not be optimised away");
    return rateEvaluator.evaluate(kernel, vector, task);
  },
});
