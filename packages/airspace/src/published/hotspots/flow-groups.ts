import { UsageError } from "@coppice/engine/usage-error";
import type { Instance } from "../../instance/instance.ts";
import { type CommunityOptions, communities } from "./communities.ts";

export interface GroupingOptions {
  /** Flights at least this similar are joined. Default 0.1. */
  readonly similarityThreshold?: number;
  /** Default `coord_cosine`. */
  readonly direction?: DirectionWeighting;
  /** Whether paths are compared up to the hotspot (default) or whole. */
  readonly trim?: "earliest_hotspot" | "none";
  /** Joins flights by communities of the similarity graph instead of by its connected components. */
  readonly communities?: CommunityOptions;
}

/**
 * Groups flights that come the same way into flows: connected components of path similarity (Jaccard over volumes), or
 * its communities. Returns a label per flight, numbered 0, 1, … in order of first appearance.
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
  /** 0 for flights that are not similar enough to be joined. */
  const similarity = (a: number, b: number): number => {
    const overlap = jaccard(footprints[a], footprints[b]);
    const weight = direction.mode === "none" ? 1 : directionWeight(headings[a], headings[b], direction);
    const product = Math.fround(overlap * weight);
    return product >= threshold ? product : 0;
  };
  if (options.communities !== undefined) {
    const edges = (a: number) =>
      flights.flatMap((_, b) => {
        const found = b > a ? similarity(a, b) : 0;
        return found > 0 ? [[b, found] as const] : [];
      });
    return byFirstAppearance(communities(flights.length, edges, options.communities));
  }
  return components(flights.length, (a, b) => similarity(a, b) > 0);
}

/** Labels of the connected components of a graph, numbered in order of first appearance. */
function components(count: number, joined: (a: number, b: number) => boolean): number[] {
  const labels = new Array<number>(count).fill(-1);
  let next = 0;
  for (let seed = 0; seed < count; seed++) {
    if (labels[seed] !== -1) continue;
    labels[seed] = next;
    const open = [seed];
    for (let a = open.pop(); a !== undefined; a = open.pop()) {
      for (let b = 0; b < count; b++) {
        if (labels[b] !== -1 || !joined(a, b)) continue;
        labels[b] = next;
        open.push(b);
      }
    }
    next++;
  }
  return labels;
}

function byFirstAppearance(labels: readonly number[]): number[] {
  const numbers = new Map<number, number>();
  return labels.map((label) => {
    const known = numbers.get(label) ?? numbers.size;
    numbers.set(label, known);
    return known;
  });
}

/** Volumes along a flight's path in order of entry, repeats merged, up to and including the first visit to `until`. */
function footprintOf(instance: Instance, flight: number, until: number | undefined): number[] {
  const path: number[] = [];
  for (let visit = instance.visitOffset[flight]; visit < instance.visitOffset[flight + 1]; visit++) {
    const volume = instance.visitVolume[visit];
    if (path.at(-1) !== volume) path.push(volume);
    if (volume === until) break;
  }
  return path;
}

/** |a ∩ b| ÷ |a ∪ b| in single precision; 0 for two empty sets. */
function jaccard(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  const shared = a.intersection(b).size;
  const all = a.size + b.size - shared;
  return all === 0 ? 0 : Math.fround(shared / all);
}

/** How much the similarity of two flights depends on flying the same way. */
type DirectionWeighting =
  | { readonly mode: "none" }
  | {
      readonly mode: "coord_cosine";
      /** Pairs that differ by more get `minWeight`. Default 90. */
      readonly angleGateDegrees?: number;
      /** Default 0. */
      readonly minWeight?: number;
      /** Default 1. */
      readonly cosineExponent?: number;
    };

/** East and north components of length 1. */
type Heading = readonly [east: number, north: number];

/** Direction from the first to the last volume of a path; undefined when they are in the same place. */
function headingOf(instance: Instance, path: readonly number[]): Heading | undefined {
  const first = path[0];
  const last = path[path.length - 1];
  if (first === undefined || last === undefined) return undefined;
  const [fromLatitude, toLatitude] = [placeOf(instance, first).latitude, placeOf(instance, last).latitude];
  const meanLatitude = (((fromLatitude + toLatitude) / 2) * Math.PI) / 180;
  const east = (placeOf(instance, last).longitude - placeOf(instance, first).longitude) * Math.cos(meanLatitude);
  const north = toLatitude - fromLatitude;
  const length = Math.hypot(east, north);
  return length > 0 ? [east / length, north / length] : undefined;
}

/** Factor for the similarity of two flights: 1 when a heading is unknown, else the cosine of their angle, gated. */
function directionWeight(
  a: Heading | undefined,
  b: Heading | undefined,
  weighting: Exclude<DirectionWeighting, { mode: "none" }>,
): number {
  if (a === undefined || b === undefined) return 1;
  const { angleGateDegrees = 90, minWeight = 0, cosineExponent = 1 } = weighting;
  const cosine = Math.min(1, Math.max(-1, a[0] * b[0] + a[1] * b[1]));
  if ((Math.acos(cosine) * 180) / Math.PI > angleGateDegrees) return minWeight;
  return Math.max(cosine, 0) ** cosineExponent;
}

function placeOf(instance: Instance, volume: number): { latitude: number; longitude: number } {
  const latitude = instance.volumeLatitude[volume];
  const longitude = instance.volumeLongitude[volume];
  if (Number.isNaN(latitude) || Number.isNaN(longitude)) {
    throw new UsageError(
      `volume ${instance.volumeIds[volume]} has no position: weighting flows by direction needs one for every volume; without positions use direction mode "none"`,
    );
  }
  return { latitude, longitude };
}
