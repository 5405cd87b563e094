import type { Distances } from "./cities.ts";

/**
 * Turns pieces of the tour around, in place, until no turn makes it shorter (2-opt, first improvement).
 * Plain loops over one array: this is where the time goes.
 */
export function untangle(tour: Uint16Array, { count, between }: Distances): void {
  // Shortens that are only rounding noise would turn for ever.
  const smallestGain = 1e-12;
  for (let improved = true; improved; ) {
    improved = false;
    for (let i = 0; i < count - 1; i++) {
      for (let j = i + 2; j < count; j++) {
        const [a, b, c, d] = [tour[i], tour[i + 1], tour[j], tour[j + 1 === count ? 0 : j + 1]];
        const gain = between[a * count + b] + between[c * count + d] - between[a * count + c] - between[b * count + d];
        if (a === d || gain <= smallestGain) continue;
        tour.subarray(i + 1, j + 1).reverse();
        improved = true;
      }
    }
  }
}
