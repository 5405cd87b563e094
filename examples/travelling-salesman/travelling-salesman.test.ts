import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { random } from "@coppice/engine";
import { cityDistances, type Distances, tourLength } from "./cities.ts";
import { untangle } from "./two-opt.ts";

describe("untangling a tour", () => {
  it("keeps every city, never makes the tour longer, and leaves no turn that would shorten it", () => {
    for (let citySeed = 0; citySeed < 20; citySeed++) {
      const distances = cityDistances({ cities: 40, citySeed });
      const start = random(citySeed).shuffle(Array.from({ length: 40 }, (_, city) => city));
      const tour = Uint16Array.from(start);
      untangle(tour, distances);
      assert.deepEqual([...tour].sort(), [...start].sort());
      assert.ok(tourLength(tour, distances) <= tourLength(start, distances));
      for (let i = 0; i < 39; i++) {
        for (let j = i + 1; j < 40; j++) {
          const turned = [...tour.slice(0, i), ...tour.slice(i, j + 1).toReversed(), ...tour.slice(j + 1)];
          assert.ok(tourLength(turned, distances) > tourLength(tour, distances) - 1e-9);
        }
      }
    }
  });

  it("comes close to the shortest tour of eight cities", () => {
    const distances = cityDistances({ cities: 8, citySeed: 3 });
    const tour = Uint16Array.from([0, 4, 1, 5, 2, 6, 3, 7]);
    untangle(tour, distances);
    const shortest = shortestTour(distances);
    assert.ok(tourLength(tour, distances) >= shortest - 1e-12);
    assert.ok(tourLength(tour, distances) <= 1.2 * shortest);
  });
});

/** Tries every order of the cities after the first. */
function shortestTour(distances: Distances): number {
  const extend = (tour: number[]): number => {
    if (tour.length === distances.count) return tourLength(tour, distances);
    let shortest = Number.POSITIVE_INFINITY;
    for (let city = 1; city < distances.count; city++) {
      if (!tour.includes(city)) shortest = Math.min(shortest, extend([...tour, city]));
    }
    return shortest;
  };
  return extend([0]);
}
