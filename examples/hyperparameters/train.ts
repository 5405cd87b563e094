import { defineEvaluator, random } from "@coppice/engine/evaluator";
import { type Hyperparameters, validationError } from "./network.ts";
import { type SpiralOptions, spirals } from "./spirals.ts";

/** One training: these hyperparameters, for so many epochs. */
export interface Training {
  readonly parameters: Hyperparameters;
  readonly epochs: number;
}

export default defineEvaluator({
  // The data are made once per worker and only read afterwards.
  setup: (options: SpiralOptions) => spirals(options),
  evaluate: ({ train, valid }, { parameters, epochs }: Training, task) =>
    validationError(parameters, epochs, train, valid, random(task.seed)),
});
