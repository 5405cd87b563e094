import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { defineEvaluator } from "../../src/contract/evaluator.ts";

/** Ends at once, or holds until HOLD_UNTIL (a file) is there. */
export default defineEvaluator({
  setup: (context: { readonly hold: boolean }) => context,
  evaluate: async ({ hold }, value: unknown) => {
    const file = process.env.HOLD_UNTIL;
    while (hold && file !== undefined && !existsSync(file)) await sleep(20);
    return value;
  },
});
