import { defineEvaluator } from "@coppice/engine/evaluator";

/** How a value comes late, and which points have none. */
interface Setting {
  readonly longestMs: number;
  readonly noise: number;
}

/** A value of any point, after a pause that the setting and not the value depends on; some points fail. */
export default defineEvaluator({
  setup: (setting: Setting) => setting,
  evaluate: async ({ longestMs, noise }, candidate: unknown, { key }) => {
    let sum = 7;
    for (const letter of key) sum = (sum * 31 + letter.charCodeAt(0)) % 10_007;
    if (longestMs > 0) await new Promise((done) => setTimeout(done, ((sum * (noise + 1)) % 97) * (longestMs / 97)));
    if (sum % 9 === 0) throw new RangeError(`no value of ${sum}`);
    const size = JSON.stringify(candidate).length;
    return { value: sum / 100, other: (sum % 50) + size / 100 };
  },
});
