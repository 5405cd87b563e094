import { setTimeout as sleep } from "node:timers/promises";
import { defineEvaluator } from "../../src/contract/evaluator.ts";
import { UsageError } from "../../src/usage-error.ts";

/** Its setup goes wrong in the way the context says. */
export default defineEvaluator({
  setup: async ({ how }: { how: "throw" | "misused" | "hang" | "spin" | "exit" }) => {
    switch (how) {
      case "throw":
        throw new RangeError("no such table");
      case "misused":
        throw new UsageError("no such option");
      case "hang":
        return sleep(3_600_000, undefined, { ref: false });
      case "spin":
        for (;;);
      case "exit":
        process.exit(5);
    }
  },
  evaluate: () => 1,
});
