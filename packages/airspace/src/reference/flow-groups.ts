import type { Instance } from "../instance/instance.ts";
import { type DirectionWeighting, directionWeight, headingOf } from "./direction.ts";
import { footprintOf, jaccard } from "./footprint.ts";

export interface GroupingOptions {
  /** Flights at least this similar are joined. Default 0.1. */
  readonly similarityThreshold?: number;
  /** Default `coord_cosine`. */
  readonly direction?: DirectionWeighting;
  /** Whether paths are compared up to the hotspot (default) or whole. */
  readonly trim?: "earliest_hotspot" | "none";
}

/**
 * Groups flights that come the same way into flows: connected components of path similarity (Jaccard over volumes).
 * Returns a label per flight, numbered 0, 1, … in order of first appearance.
 *
 * The published planner writes down a community detection but always falls back to these components.
 */
export function groupFlights(
  instance: Instance,
  flights: readonly number[],
  hotspot: number,
  options: GroupingOptions = {},
): number[] {
  const { similarityThreshold = 0.1, direction = { mode: "coord_cosine" }, trim = "earliest_hotspot" } = options;
  const paths = flights.map((flight) => footprintOf(instance, flight, trim === "none" ? undefined : hotspot));
  const footprints = paths.map((path) => new Set(path));
  const headings = direction.mode === "none" ? [] : paths.map((path) => headingOf(instance, path));
  const threshold = Math.fround(similarityThreshold);
  const similar = (a: number, b: number): boolean => {
    const overlap = jaccard(footprints[a], footprints[b]);
    const weight = direction.mode === "none" ? 1 : directionWeight(headings[a], headings[b], direction);
    const similarity = Math.fround(overlap * weight);
    return similarity > 0 && similarity >= threshold;
  };

  const labels = new Array<number>(flights.length).fill(-1);
  let next = 0;
  for (let seed = 0; seed < flights.length; seed++) {
    if (labels[seed] !== -1) continue;
    labels[seed] = next;
    const open = [seed];
    for (let a = open.pop(); a !== undefined; a = open.pop()) {
      for (let b = 0; b < flights.length; b++) {
        if (labels[b] !== -1 || !similar(a, b)) continue;
        labels[b] = next;
        open.push(b);
      }
    }
    next++;
  }
  return labels;
}
