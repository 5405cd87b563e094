import { setTimeout as pause } from "node:timers/promises";
import { defineEvaluator } from "@coppice/engine/evaluator";
import type { Configuration } from "@coppice/search";
import { FUNCTIONS } from "./functions.ts";

/** Rosenbrock's function after a moment that is different each time: who finishes first is anybody's guess. */
export default defineEvaluator({
  evaluate: async (_: undefined, point: Configuration) => {
    await pause(Number(process.hrtime.bigint() % 4n));
    return FUNCTIONS[3].value(point);
  },
});
