import { setTimeout as sleep } from "node:timers/promises";
import { defineEvaluator } from "../../src/contract/evaluator.ts";
import { timed } from "../../src/timers/timed.ts";

/** Squares a number under timers; logs, and fails on the first attempt at multiples of seven and always at 13. */
export default defineEvaluator({
  evaluate: async (_state, n: number, task) => {
    task.log(`squaring ${n}`);
    if (n === 13) throw new RangeError("13 is <unlucky>");
    if (n % 7 === 0 && task.attempt === 0) throw new RangeError(`${n} on its first attempt`);
    return timed("square", async () => {
      await timed("square.wait", () => sleep(3));
      return n * n;
    });
  },
});
