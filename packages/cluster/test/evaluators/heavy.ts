import { defineEvaluator } from "@coppice/engine/evaluator";

/** Values and candidates too long for a queue, and an array that every worker has. */
export default defineEvaluator({
  setup: (_context: unknown, shared) => ({ numbers: new Float64Array(shared.numbers) }),
  evaluate: ({ numbers }, text: string) => `${text.length}:${numbers[1]}:${"y".repeat(300_000)}`,
});
