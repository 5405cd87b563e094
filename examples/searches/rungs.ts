import { defineRun } from "@coppice/engine";
import { defineSpace, hyperband, real } from "@coppice/search";

/** A training that shows after few epochs what it will come to: many rates briefly, the best of them for longer. */
export default defineRun({
  search: ({ seed }) =>
    hyperband({
      space: defineSpace({ rate: real(0.001, 1, { log: true }) }),
      goal: { name: "error", better: "lower" },
      budget: { name: "epochs", min: 1, max: 27 },
      brackets: "hyperband",
      trials: 40,
      window: 8,
      seed,
    }),
  evaluate: (_state, point) => {
    const { rate, epochs } = point as { rate: number; epochs: number };
    return Math.abs(Math.log10(rate) + 1.5) + 1 / epochs;
  },
  describe: ({ trials, best }) => `${JSON.stringify(trials[best ?? 0]?.point)}, of ${trials.length} trainings`,
});
