import { defineEvaluator } from "@coppice/engine/evaluator";
import { evaluateVector, RateKernel } from "./rate-kernel.ts";
import type { RateVector } from "./rate-search.ts";
import { openTables, type TableHeader } from "./rate-tables.ts";

/** Scores rate vectors in a worker: tables arrive once, a task carries nothing but rates. */
export default defineEvaluator({
  setup: (header: TableHeader, shared: Readonly<Record<string, SharedArrayBuffer>>) =>
    new RateKernel(openTables({ header, shared })),
  evaluate: (kernel, vector: RateVector) => evaluateVector(kernel, vector),
});
