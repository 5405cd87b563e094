import { setTimeout as wait } from "node:timers/promises";
import { defineEvaluator, timed } from "@coppice/engine/evaluator";

interface Context {
  readonly delayMs: number;
  readonly failEvery: number;
  /** Text in front of every value. */
  readonly text: string;
  /** Every task logs what it does and prints the same. */
  readonly tells: boolean;
}

/** Squares a number; every so many fail. */
export default defineEvaluator({
  setup: (context: Context) => context,
  evaluate: async ({ delayMs, failEvery, text, tells }, n: number, task) => {
    if (tells) {
      task.log(`${text} logs ${n}`);
      console.log(`${text} prints ${n}`);
    }
    if (delayMs > 0) await timed("evaluator.wait", () => wait(delayMs * (1 + (n % 5))));
    if (failEvery > 0 && n % failEvery === failEvery - 1) throw new RangeError(`${text} no square of ${n}`);
    return text === "" ? n * n : `${text}${n * n}`;
  },
});
