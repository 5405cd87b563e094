import { defineEvaluator } from "@coppice/engine/evaluator";

/** Costs nothing, so that all that is measured is the engine. */
export default defineEvaluator({ evaluate: (_state: unknown, candidate: number) => candidate });
