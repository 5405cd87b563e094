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
