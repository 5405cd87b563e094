import type { Random } from "@coppice/engine/evaluator";
import type { Points } from "./spirals.ts";

/** What the search chooses. */
export interface Hyperparameters {
  readonly learningRate: number;
  readonly hidden: number;
  readonly weightDecay: number;
  readonly initialScale: number;
}

/** Weights of a network with two inputs, one hidden layer of tanh units and one output, row per hidden unit. */
interface Network {
  readonly fromX: Float64Array;
  readonly fromY: Float64Array;
  readonly bias: Float64Array;
  readonly out: Float64Array;
  outBias: number;
}

/** Trains by stochastic gradient descent and returns the share of validation points it gets wrong. */
export function validationError(
  { hidden, learningRate, weightDecay, initialScale }: Hyperparameters,
  epochs: number,
  train: Points,
  valid: Points,
  stream: Random,
): number {
  const weights = stream.at("weights");
  const drawn = () => Float64Array.from({ length: hidden }, () => weights.normal(0, initialScale));
  const network: Network = { fromX: drawn(), fromY: drawn(), bias: drawn(), out: drawn(), outBias: 0 };
  const activity = new Float64Array(hidden);
  const indices = Array.from({ length: train.x.length }, (_, i) => i);
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (const i of stream.at("order").at(epoch).shuffle(indices)) {
      const error = predict(network, activity, train.x[i], train.y[i]) - train.spiral[i];
      learn(network, activity, train.x[i], train.y[i], learningRate * error, 1 - learningRate * weightDecay);
    }
  }
  let wrong = 0;
  let ones = 0;
  for (let i = 0; i < valid.x.length; i++) {
    const answer = predict(network, activity, valid.x[i], valid.y[i]) > 0.5 ? 1 : 0;
    if (answer !== valid.spiral[i]) wrong++;
    ones += answer;
  }
  if (ones === 0 || ones === valid.x.length)
    throw new Error("saturated: the network gives every point the same answer");
  return wrong / valid.x.length;
}

/** Probability of spiral 1; leaves the hidden units' activity behind for `learn`. */
function predict(network: Network, activity: Float64Array, x: number, y: number): number {
  let sum = network.outBias;
  for (let h = 0; h < activity.length; h++) {
    activity[h] = Math.tanh(network.fromX[h] * x + network.fromY[h] * y + network.bias[h]);
    sum += network.out[h] * activity[h];
  }
  return 1 / (1 + Math.exp(-sum));
}

function learn(network: Network, activity: Float64Array, x: number, y: number, step: number, decay: number): void {
  for (let h = 0; h < activity.length; h++) {
    const back = step * network.out[h] * (1 - activity[h] ** 2);
    network.out[h] = network.out[h] * decay - step * activity[h];
    network.fromX[h] = network.fromX[h] * decay - back * x;
    network.fromY[h] = network.fromY[h] * decay - back * y;
    network.bias[h] -= back;
  }
  network.outBias -= step;
}
