import { defineRun } from "@coppice/engine";
import { differentialEvolution, type Evolved } from "../evolution/differential-evolution.ts";
import { type Heater, heatPlate, plateText } from "./plate.ts";
import { BOUNDS, HIDDEN_HEATERS, heatersAt } from "./thermometers.ts";

/** Two heaters under a plate, found from sixteen thermometers: the search that `coppice demo` runs. */
export default defineRun({
  options: { population: 20, generations: 32 },
  search: ({ seed, options }) => differentialEvolution({ seed, bounds: BOUNDS, ...options }),
  evaluator: new URL("./plate-evaluator.ts", import.meta.url),
  describe: ({ point, value }: Evolved) => {
    const found = heatersAt(point).toSorted((a, b) => a.x - b.x);
    const truth = HIDDEN_HEATERS.toSorted((a, b) => a.x - b.x);
    return [
      plateText(heatPlate(found)),
      ...found.map((heater, i) => `  found ${heaterText(heater)}   hidden ${heaterText(truth[i])}`),
      `  the sixteen thermometers agree to ${value.toFixed(4)}°`,
    ].join("\n");
  },
});

function heaterText({ x, y, power }: Heater): string {
  return `x ${x.toFixed(3)}  y ${y.toFixed(3)}  power ${power.toFixed(2)}`;
}
