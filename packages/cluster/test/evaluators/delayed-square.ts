import { setTimeout as sleep } from "node:timers/promises";
import { defineEvaluator } from "@coppice/engine/evaluator";

/** Squares numbers, after a time that is different for each: what arrives first is nobody's choice. */
export default defineEvaluator({
  setup: ({ longestMs }: { readonly longestMs: number }) => ({ longestMs }),
  evaluate: async ({ longestMs }, number: number, { seed }) => {
    await sleep((seed % 1000) * (longestMs / 1000));
    return number * number;
  },
});
