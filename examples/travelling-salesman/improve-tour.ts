import { defineEvaluator, type Random, random } from "@coppice/engine/evaluator";
import { type CityOptions, cityDistances, tourLength } from "./cities.ts";
import { untangle } from "./two-opt.ts";

/** Where to start: at a random tour, or at this one after a random change. */
export interface Attempt {
  readonly from: readonly number[] | null;
}

export interface Tour {
  readonly order: readonly number[];
  readonly length: number;
}

export default defineEvaluator({
  setup: (options: CityOptions) => cityDistances(options),
  evaluate: (distances, { from }: Attempt, task): Tour => {
    // The task's own stream: the same for every attempt at this key, on every machine.
    const stream = random(task.seed);
    const cities = Array.from({ length: distances.count }, (_, city) => city);
    const tour = Uint16Array.from(from === null ? stream.shuffle(cities) : kicked(from, stream));
    untangle(tour, distances);
    return { order: [...tour], length: tourLength(tour, distances) };
  },
});

/** Cuts the tour into four pieces and joins them in another order ("double bridge"): too large a change for 2-opt to undo. */
function kicked(tour: readonly number[], stream: Random): number[] {
  const cuts = [1, 2, 3].map(() => stream.integer(0, tour.length)).sort((a, b) => a - b);
  const [first, second, third] = cuts;
  return [...tour.slice(0, first), ...tour.slice(second, third), ...tour.slice(first, second), ...tour.slice(third)];
}
