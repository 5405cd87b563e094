import { defineRun } from "@coppice/engine";
import type { Throw } from "./flight.ts";
import { type Maximum, sectionSearch } from "./section-search.ts";

/** `coppice run examples/launch-angle/run.ts --option headWind=4` */
export default defineRun({
  options: { speed: 30, drag: 0.02, headWind: 0, points: 16, tolerance: 0.001 },
  search: ({ options: { points, tolerance } }) => sectionSearch({ low: 1, high: 89, points, tolerance }),
  evaluator: "./flight.ts",
  context: ({ options: { speed, drag, headWind } }): Throw => ({
    speedMetresPerSecond: speed,
    dragPerMetre: drag,
    headWindMetresPerSecond: headWind,
  }),
  describe: ({ x, value, rounds }: Maximum) =>
    `${value.toFixed(2)} m at ${x.toFixed(3)}°, found in ${rounds} rounds of parallel flights`,
});
