import { defineRun } from "@coppice/engine";
import type { SpiralOptions } from "./spirals.ts";
import { type Halving, successiveHalving } from "./successive-halving.ts";

/** `coppice run examples/hyperparameters/run.ts --seed 7 --option configurations=243` */
export default defineRun({
  options: { configurations: 81, factor: 3, firstEpochs: 3, points: 400, noise: 0.05, dataSeed: 1 },
  search: ({ seed, options: { configurations, factor, firstEpochs } }) =>
    successiveHalving({ seed, configurations, factor, firstEpochs }),
  evaluator: "./train.ts",
  context: ({ options: { points, noise, dataSeed } }): SpiralOptions => ({ points, noise, dataSeed }),
  describe: ({ best, rungs }: Halving) => {
    const { learningRate, hidden, weightDecay, initialScale } = best.parameters;
    const steps = rungs.map((rung) => `${rung.trained} × ${rung.epochs} epochs: ${percent(rung.bestError)}`);
    return [
      `${percent(best.error)} of the points wrong with learning rate ${learningRate.toPrecision(3)}, ${hidden} hidden units, ` +
        `weight decay ${weightDecay.toPrecision(2)}, initial scale ${initialScale.toPrecision(2)}`,
      ...steps,
    ].join("\n");
  },
});

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
