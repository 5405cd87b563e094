import { defineRun } from "@coppice/engine";
import { generated } from "@coppice/search";

/** Where a curve is lowest: nine points at once, then nine between the best one's neighbours, and so on. */
export default defineRun({
  search: () =>
    generated<number, number, number>(function* () {
      let [low, high] = [0, 10];
      while (high - low > 1e-6) {
        const step = (high - low) / 10;
        const points = Array.from({ length: 9 }, (_, i) => low + (i + 1) * step);
        const outcomes = yield points.map((candidate) => ({ candidate, key: String(candidate) }));
        const heights = outcomes.map((outcome) => (outcome.ok ? outcome.value : Number.POSITIVE_INFINITY));
        const best = points[heights.indexOf(Math.min(...heights))];
        [low, high] = [best - step, best + step];
      }
      return (low + high) / 2;
    }),
  evaluate: (_state, x: number) => (x - Math.PI) ** 2,
});
