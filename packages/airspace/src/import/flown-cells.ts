import { latLngToCell } from "h3-js";

/** A place on the sphere, degrees. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

const EARTH_RADIUS_NM = 3440.065;
const RADIANS = Math.PI / 180;

/** Great-circle distance in nautical miles (haversine). */
export function distanceNm(from: Place, to: Place): number {
  return EARTH_RADIUS_NM * angle(from, to);
}

/** The place at `fraction` of the great circle between two places. */
export function along(from: Place, to: Place, fraction: number): Place {
  const whole = angle(from, to);
  if (whole === 0) return from;
  const a = Math.sin((1 - fraction) * whole) / Math.sin(whole);
  const b = Math.sin(fraction * whole) / Math.sin(whole);
  const [fromLat, fromLon, toLat, toLon] = [from.latitude, from.longitude, to.latitude, to.longitude].map(
    (d) => d * RADIANS,
  );
  const x = a * Math.cos(fromLat) * Math.cos(fromLon) + b * Math.cos(toLat) * Math.cos(toLon);
  const y = a * Math.cos(fromLat) * Math.sin(fromLon) + b * Math.cos(toLat) * Math.sin(toLon);
  const z = a * Math.sin(fromLat) + b * Math.sin(toLat);
  return { latitude: Math.atan2(z, Math.hypot(x, y)) / RADIANS, longitude: Math.atan2(y, x) / RADIANS };
}

/** Angle between two places seen from the centre, radians. */
function angle(from: Place, to: Place): number {
  const north = Math.sin(((to.latitude - from.latitude) * RADIANS) / 2);
  const east = Math.sin(((to.longitude - from.longitude) * RADIANS) / 2);
  const half = north ** 2 + Math.cos(from.latitude * RADIANS) * Math.cos(to.latitude * RADIANS) * east ** 2;
  return 2 * Math.asin(Math.min(1, Math.sqrt(half)));
}

/** The cells a flight enters, in order, and the minute after take-off at which it does. */
export interface FlownCells {
  readonly minutes: number;
  readonly cells: readonly string[];
  readonly entryMinute: readonly number[];
}

/** Minutes from take-off to landing at a steady speed, plus a fixed part for climb and approach. */
export function flightMinutes(from: Place, to: Place, track: { fixedMinutes: number; knots: number }): number {
  return Math.round(track.fixedMinutes + (distanceNm(from, to) / track.knots) * 60);
}

/** Follows the great circle minute by minute; a visit starts in the first minute seen in a new cell. */
export function flownCells(from: Place, to: Place, minutes: number, resolution: number): FlownCells {
  const cells: string[] = [];
  const entryMinute: number[] = [];
  for (let minute = 0; minute <= minutes; minute++) {
    const place = along(from, to, minutes === 0 ? 0 : minute / minutes);
    const cell = latLngToCell(place.latitude, place.longitude, resolution);
    if (cell === cells.at(-1)) continue;
    cells.push(cell);
    entryMinute.push(minute);
  }
  return { minutes, cells, entryMinute };
}
