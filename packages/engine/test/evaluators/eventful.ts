import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { defineEvaluator } from "../../src/contract/evaluator.ts";
import { random } from "../../src/random/random.ts";

/** How an evaluation is disturbed. Nothing of this may show in the value. */
export interface Disturbance {
  /** Another noise gives every task another delay. */
  readonly noise: number;
  readonly longestMs: number;
  /** One key in so many always fails; 0 for none. */
  readonly failOneIn: number;
  /** One key in so many fails at its first attempt; 0 for none. */
  readonly flakyOneIn: number;
  /** One key in so many takes its worker along the first time, noted in this folder. */
  readonly crashes: { readonly oneIn: number; readonly folder: string } | undefined;
}

export default defineEvaluator({
  setup: (disturbance: Disturbance) => disturbance,
  evaluate: async (disturbance, { n, mixed }: { n: number; mixed: number }, task) => {
    const { noise, longestMs, failOneIn, flakyOneIn, crashes } = disturbance;
    const delayMs = random(noise).at(task.key).at(String(task.attempt)).uniform() * longestMs;
    if (delayMs > longestMs / 2) await sleep(delayMs, undefined, { signal: task.signal });
    if (crashes !== undefined && n % crashes.oneIn === 1) {
      const mark = join(crashes.folder, task.key);
      if (!existsSync(mark)) {
        writeFileSync(mark, "");
        process.exit(3);
      }
    }
    if (failOneIn > 0 && n % failOneIn === 2) throw new RangeError(`cannot evaluate ${n}`);
    if (flakyOneIn > 0 && n % flakyOneIn === 3 && task.attempt === 0) throw new Error("try again");
    return random(task.seed).at("value").uniform() + mixed;
  },
});
