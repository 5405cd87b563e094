import { defineEvaluator } from "../../src/evaluator.ts";

/** Says and throws far more than anybody reads. */
export default defineEvaluator({
  evaluate: (_, size: number, task) => {
    task.log("l".repeat(size));
    console.error("e".repeat(size));
    const error = new Error("😀".repeat(size / 2), { cause: new Error("c".repeat(size)) });
    throw Object.assign(error, { data: { text: "d".repeat(size) } });
  },
});
