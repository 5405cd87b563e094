import { defineEvaluator } from "@coppice/engine/evaluator";
import { HIDDEN_HEATERS, heatersAt } from "./heaters.ts";
import { heatPlate } from "./plate.ts";
import { misfit, readThermometers } from "./thermometers.ts";

export default defineEvaluator({
  setup: () => readThermometers(heatPlate(HIDDEN_HEATERS)),
  evaluate: (measured, point: readonly number[]) => misfit(heatersAt(point), measured),
});
