import { defineRun } from "@coppice/engine";
import { type Maximum, sectionSearch } from "../launch-angle/section-search.ts";

/**
 * A search without an evaluator: that is a program in Python.
 *
 * `coppice run examples/python-evaluator/run.ts --command 'python3 examples/python-evaluator/flight.py' --command-mode lines`
 */
export default defineRun({
  options: { speed: 30, drag: 0.02, headWind: 0, points: 16, tolerance: 0.001 },
  search: ({ options: { points, tolerance } }) => sectionSearch({ low: 1, high: 89, points, tolerance }),
  context: ({ options: { speed, drag, headWind } }) => ({ speed, drag_per_metre: drag, head_wind: headWind }),
  describe: ({ x, value, rounds }: Maximum) =>
    `${value.toFixed(2)} m at ${x.toFixed(3)}°, found in ${rounds} rounds of parallel flights`,
});
