import { binsPerHour, type Instance, wholeCapacity } from "@coppice/airspace";
import type { DelayChoices } from "./delay-choices.ts";

/** Steps shrink when the bound did not rise for so many iterations. */
const PATIENCE = 25;

/**
 * A lower bound of `exceedance + lambda * delay minutes` over all choices of delays. Every rolling hour above capacity has
 * a price p in 0..1 per flight, so that each flight chooses alone:
 *
 *   L(p) = sum over flights of min over delays d of (lambda d + sum over visits of P[cell]) - sum of p * capacity,
 *
 * where P[cell] is the sum of p over the rolling hours that contain the cell's bin. Any p gives a bound; the highest is
 * looked for by projected subgradient steps, as long as the distance to `reached` (the cost of some known delays) says.
 */
export function lagrangianBound(
  instance: Instance,
  { choiceOffset, delayMinutes, cellOffset, cells }: DelayChoices,
  lambda: number,
  reached: number,
  iterations: number,
): number {
  const { binCount } = instance;
  const hour = binsPerHour(instance);
  const capacity = instance.capacity.map(wholeCapacity);
  const price = new Float64Array(capacity.length);
  const summed = new Float64Array(capacity.length);
  const entries = new Int32Array(capacity.length);
  const direction = new Float64Array(capacity.length);
  let bound = Number.NEGATIVE_INFINITY;
  let step = 1;
  let patience = PATIENCE;
  for (let iteration = 0; iteration < iterations && step > 1e-4; iteration++) {
    sumOverHours(price, summed, binCount, hour);
    entries.fill(0);
    let value = 0;
    for (let f = 0; f < choiceOffset.length - 1; f++) value += choose(f);
    for (let cell = 0; cell < price.length; cell++) if (price[cell] > 0) value -= price[cell] * capacity[cell];

    if (value > bound) {
      bound = value;
      patience = PATIENCE;
    } else if (--patience === 0) {
      step *= 0.7;
      patience = PATIENCE;
    }
    let squares = 0;
    for (let cell = 0; cell < price.length; cell++) {
      const excess = hourCount(cell) - capacity[cell];
      // Of the last direction a part is kept, against zigzagging; prices at their limits do not pull further.
      direction[cell] = (excess > 0 || price[cell] > 0 ? excess : 0) + 0.5 * direction[cell];
      squares += direction[cell] ** 2;
    }
    if (squares === 0) break;
    const length = (step * Math.max(reached - value, 1e-3)) / squares;
    for (let cell = 0; cell < price.length; cell++) {
      price[cell] = Math.min(1, Math.max(0, price[cell] + length * direction[cell]));
    }
  }
  return bound;

  /** The cheapest delay of a flight under the prices: counts its entries and gives its cost. */
  function choose(flight: number): number {
    let least = Number.POSITIVE_INFINITY;
    let chosen = -1;
    for (let c = choiceOffset[flight]; c < choiceOffset[flight + 1]; c++) {
      let cost = lambda * delayMinutes[c];
      for (let at = cellOffset[c]; at < cellOffset[c + 1]; at++) cost += summed[cells[at]];
      if (cost >= least) continue;
      least = cost;
      chosen = c;
    }
    for (let at = cellOffset[chosen]; at < cellOffset[chosen + 1]; at++) entries[cells[at]]++;
    return least;
  }

  function hourCount(cell: number): number {
    const endOfDay = cell - (cell % binCount) + binCount;
    let count = 0;
    for (let c = cell; c < Math.min(cell + hour, endOfDay); c++) count += entries[c];
    return count;
  }
}

/** For each bin the sum of the prices of the rolling hours that contain it. */
function sumOverHours(price: Float64Array, summed: Float64Array, binCount: number, hour: number): void {
  for (let cell = 0; cell < price.length; cell++) {
    const startOfDay = cell - (cell % binCount);
    let sum = 0;
    for (let c = Math.max(startOfDay, cell - hour + 1); c <= cell; c++) sum += price[c];
    summed[cell] = sum;
  }
}
