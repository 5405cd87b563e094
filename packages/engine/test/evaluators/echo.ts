import { defineEvaluator } from "../../src/contract/evaluator.ts";

/** Gives back its candidate. */
export default defineEvaluator({ evaluate: (_state, candidate: unknown) => candidate });
