import { UsageError } from "@coppice/engine/usage-error";
import type { Instance } from "../../instance/instance.ts";

/** How much the similarity of two flights depends on flying the same way. */
export type DirectionWeighting =
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
export type Heading = readonly [east: number, north: number];

/** Direction from the first to the last volume of a path; undefined when they are in the same place. */
export function headingOf(instance: Instance, path: readonly number[]): Heading | undefined {
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
export function directionWeight(
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
