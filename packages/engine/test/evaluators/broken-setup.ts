import { defineEvaluator } from "../../src/contract/evaluator.ts";

/** Cannot start. */
export default defineEvaluator({
  setup: (): null => {
    throw new Error("no such volume file");
  },
  evaluate: () => null,
});
