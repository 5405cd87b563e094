import { defineEvaluator } from "../../src/evaluator.ts";

export default defineEvaluator({
  evaluate: async (_state, code: number) => {
    await Promise.resolve();
    process.exit(code);
  },
});
