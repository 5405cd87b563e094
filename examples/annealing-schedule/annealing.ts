import type { Random } from "@coppice/engine/evaluator";
import type { Cities } from "./maps.ts";

/** How simulated annealing cools down. */
export interface Schedule {
  /** Temperature at the start, in units of a mean leg of the first tour. */
  readonly hot: number;
  /** Share of the temperature that is left at the end. */
  readonly cold: number;
  /** How the temperature falls in between. */
  readonly curve: "geometric" | "linear";
  /** Longest piece of the tour that is turned around, as a share of the tour. */
  readonly reach: number;
}

/** Length of the tour found in so many steps; random numbers come from the caller, so it is a pure function. */
export function anneal(cities: Cities, schedule: Schedule, steps: number, random: Random): number {
  const count = cities.x.length;
  const tour = Uint16Array.from(random.shuffle(Array.from({ length: count }, (_, i) => i)));
  const leg = (a: number, b: number) => Math.hypot(cities.x[a] - cities.x[b], cities.y[a] - cities.y[b]);
  const at = (i: number) => tour[i % count];
  const length = () => tour.reduce((sum, city, i) => sum + leg(city, at(i + 1)), 0);
  const hot = (schedule.hot * length()) / count;
  const longest = Math.max(2, Math.floor(schedule.reach * count));
  for (let step = 0; step < steps; step++) {
    const passed = step / steps;
    const left = schedule.curve === "linear" ? 1 - passed * (1 - schedule.cold) : schedule.cold ** passed;
    const from = random.integer(0, count - 2);
    const to = Math.min(count - 1, from + random.integer(1, longest));
    const before = leg(at(from + count - 1), at(from)) + leg(at(to), at(to + 1));
    const after = leg(at(from + count - 1), at(to)) + leg(at(from), at(to + 1));
    const wholeTour = from === 0 && to === count - 1;
    if (wholeTour || random.uniform() >= Math.exp((before - after) / (hot * left))) continue;
    tour.subarray(from, to + 1).reverse();
  }
  return length();
}
