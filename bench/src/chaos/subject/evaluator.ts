import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { defineEvaluator, random } from "@coppice/engine/evaluator";

/** Counts itself: every evaluation leaves its key in the ledger before it does anything else. */
export default defineEvaluator({
  setup: (context: { readonly ledger: string }) => context,
  evaluate: async ({ ledger }, n: number, task) => {
    appendFileSync(ledger, `${task.key}\n`);
    const draw = random(task.seed).at("value");
    await sleep(draw.uniform() * 3);
    if (n % 11 === 5) throw new RangeError(`no value at ${n}`);
    return draw.uniform() + n;
  },
});
