import { defineEvaluator } from "../../src/contract/evaluator.ts";

/** Returns what its candidate names: things that are not, or not quite, data. */
export default defineEvaluator({
  evaluate: (_state: unknown, what: string): unknown => {
    switch (what) {
      case "function":
        return () => 1;
      case "cycle": {
        const cycle: { self?: unknown } = {};
        cycle.self = cycle;
        return cycle;
      }
      case "bigint":
        return 12345678901234567890n;
      case "NaN":
        return Number.NaN;
      case "100 MB":
        return "x".repeat(100 * 1024 * 1024);
      case "nothing":
        return undefined;
      case "thrown text":
        throw "just a text";
      default:
        throw new Error(`no such thing: ${what}`);
    }
  },
});
