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

/** A place at a height. */
export interface Position extends Place {
  readonly feet: number;
}

/** Where a flight is from minute to minute after take-off. */
export interface Track {
  readonly fromMinute: number;
  readonly toMinute: number;
  at(minute: number): Position;
}

/** A visit to a volume, in minutes after take-off. */
export interface FlownVisit {
  readonly volume: string;
  readonly entryMinute: number;
  readonly exitMinute: number;
}

/** Minutes from take-off to landing at a steady speed, plus a fixed part for climb and approach. */
export function flightMinutes(from: Place, to: Place, track: { fixedMinutes: number; knots: number }): number {
  return Math.round(track.fixedMinutes + (distanceNm(from, to) / track.knots) * 60);
}

/** The great circle at a steady speed and height. */
export function greatCircle(from: Place, to: Place, minutes: number, feet: number): Track {
  const at = (minute: number): Position => ({ ...along(from, to, minutes === 0 ? 0 : minute / minutes), feet });
  return { fromMinute: 0, toMinute: minutes, at };
}

/** From point to point on great circles; between two of them speed and climb are steady. Minutes must rise. */
export function throughPoints(points: readonly (Position & { readonly minute: number })[]): Track {
  const at = (minute: number): Position => {
    const next = Math.max(
      1,
      points.findIndex((point) => point.minute >= minute),
    );
    const [from, to] = [points[next - 1], points[next]];
    const share = (minute - from.minute) / (to.minute - from.minute);
    return { ...along(from, to, share), feet: from.feet + (to.feet - from.feet) * share };
  };
  return { fromMinute: points[0].minute, toMinute: points[points.length - 1].minute, at };
}

/** H3 cells on a track, seen minute by minute; a visit starts in the first minute seen in a new cell. */
export function cellVisits({ fromMinute, toMinute, at }: Track, resolution: number): FlownVisit[] {
  const entries: { readonly volume: string; readonly entryMinute: number }[] = [];
  for (let minute = fromMinute; minute <= toMinute; minute++) {
    const { latitude, longitude } = at(minute);
    const volume = latLngToCell(latitude, longitude, resolution);
    if (volume !== entries.at(-1)?.volume) entries.push({ volume, entryMinute: minute });
  }
  return entries.map((entry, i) => ({ ...entry, exitMinute: entries[i + 1]?.entryMinute ?? toMinute }));
}
