import { defineEvaluator } from "@coppice/engine/evaluator";
import { heatPlate } from "./plate.ts";
import { HIDDEN_HEATERS, heatersAt, misfit, readThermometers } from "./thermometers.ts";

export default defineEvaluator({
  setup: () => readThermometers(heatPlate(HIDDEN_HEATERS)),
  evaluate: (measured, point: readonly number[]) => misfit(heatersAt(point), measured),
});
