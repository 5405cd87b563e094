import { defineEvaluator } from "../../src/contract/evaluator.ts";
import { availableCores } from "../../src/cores/core-budget.ts";
import { threads } from "../../src/pools/threads.ts";

/** Says how many workers a pool of its own would have, by what it asks for. */
export default defineEvaluator({
  evaluate: (_state: unknown, workers: number | "auto") => ({
    cores: availableCores(),
    granted: threads({ workers }).workers,
    oversubscribed: threads({ workers, oversubscribe: true }).workers,
  }),
});
