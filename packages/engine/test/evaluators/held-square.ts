import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { defineEvaluator } from "../../src/contract/evaluator.ts";

/** Squares a number; from the seventh on only when the file HELD_WHILE is gone, and not at all with HELD_FAIL. */
export default defineEvaluator({
  evaluate: async (_state, n: number) => {
    const file = process.env.HELD_WHILE;
    while (n > 5 && file !== undefined && existsSync(file)) await sleep(20);
    if (n > 5 && process.env.HELD_FAIL === "yes") throw new RangeError(`there is no square of ${n}`);
    return n * n;
  },
});
