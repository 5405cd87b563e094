import { setTimeout as sleep } from "node:timers/promises";
import { defineEvaluator } from "@coppice/engine/evaluator";

/** Takes time but no core, so that one machine can have more workers than cores. */
export default defineEvaluator({
  setup: ({ ms }: { readonly ms: number }) => ({ ms }),
  evaluate: async ({ ms }, candidate: number) => {
    if (ms > 0) await sleep(ms);
    return candidate;
  },
});
