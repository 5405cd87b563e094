import { defineRun } from "@coppice/engine";
import { spaceSearch } from "@coppice/search";

/** The cheapest batch size and number of threads: few enough points that every one is tried. */
export default defineRun({
  search: ({ seed }) =>
    spaceSearch({
      parameters: [
        { name: "batch", path: ["batch"], domain: { kind: "choice", values: [1, 8, 64, 512] } },
        { name: "threads", path: ["threads"], domain: { kind: "range", min: 1, max: 8, decimals: 0 } },
      ],
      objective: "minimize",
      evaluations: 100,
      seed,
    }),
  evaluate: (_state, point) => {
    const { batch, threads } = point as { batch: number; threads: number };
    return 1000 / (batch * Math.min(threads, 4)) + batch / 10 + threads;
  },
  describe: ({ best, evaluations }) => `${JSON.stringify(best?.point)} of ${evaluations} points`,
});
