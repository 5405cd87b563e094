import { defineEvaluator } from "@coppice/engine/evaluator";

/** Keeps its core busy for some milliseconds. */
export default defineEvaluator({
  setup: (busyMs: number) => busyMs,
  evaluate: (busyMs, candidate: number) => {
    const end = performance.now() + busyMs;
    while (performance.now() < end);
    return candidate;
  },
});
