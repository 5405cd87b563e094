import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { defineEvaluator } from "../../src/contract/evaluator.ts";

/** Squares a number; from the sixth on only when the file HELD_WHILE is gone. */
export default defineEvaluator({
  evaluate: async (_state, n: number) => {
    const file = process.env.HELD_WHILE;
    while (n > 5 && file !== undefined && existsSync(file)) await sleep(20);
    return n * n;
  },
});
