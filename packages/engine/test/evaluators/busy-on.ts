import { defineEvaluator } from "../../src/contract/evaluator.ts";

/** Works without a pause, and without ever looking up, on the one key that the context names. */
export default defineEvaluator({
  setup: (context: { readonly busyOn: string }) => context,
  evaluate: ({ busyOn }, value: unknown, task) => {
    if (process.env.BUSY === "yes" && task.key === busyOn) for (;;);
    return value;
  },
});
