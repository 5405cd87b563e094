import { setTimeout as pause } from "node:timers/promises";
import { defineEvaluator } from "@coppice/engine/evaluator";
import type { Configuration } from "@coppice/search";

/** Rosenbrock's function, its bottom at the origin. */
export function rosenbrock(x: readonly number[]): number {
  const y = x.map((v) => v + 1);
  return y.slice(1).reduce((sum, v, i) => sum + (100 * (v - y[i] ** 2) ** 2 + (1 - y[i]) ** 2), 0);
}

/**
 * Rosenbrock's function after a moment that is different each time: who finishes first is anybody's guess. Loads nothing of
 * the other functions: eight workers would load it all.
 */
export default defineEvaluator({
  evaluate: async (_: undefined, point: Configuration) => {
    await pause(Number(process.hrtime.bigint() % 4n));
    return rosenbrock(Object.values(point).map(Number));
  },
});
