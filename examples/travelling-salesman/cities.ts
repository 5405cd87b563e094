import { random } from "@coppice/engine/evaluator";

/** Cities in the unit square, given by a seed. */
export interface CityOptions {
  readonly cities: number;
  readonly citySeed: number;
}

/** Distances between all cities: row × count + column. */
export interface Distances {
  readonly count: number;
  readonly between: Float64Array;
}

export function cityDistances({ cities, citySeed }: CityOptions): Distances {
  const map = random(citySeed).at("map");
  const x = Float64Array.from({ length: cities }, () => map.uniform());
  const y = Float64Array.from({ length: cities }, () => map.uniform());
  const between = new Float64Array(cities * cities);
  for (let a = 0; a < cities; a++) {
    for (let b = 0; b < cities; b++) {
      between[a * cities + b] = Math.sqrt((x[a] - x[b]) ** 2 + (y[a] - y[b]) ** 2);
    }
  }
  return { count: cities, between };
}

/** Length of the closed tour. */
export function tourLength(tour: ArrayLike<number>, { count, between }: Distances): number {
  let length = 0;
  for (let i = 0; i < count; i++) length += between[tour[i] * count + tour[i + 1 === count ? 0 : i + 1]];
  return length;
}
