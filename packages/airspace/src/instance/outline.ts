import { cellToBoundary, isValidCell } from "h3-js";
import type { Instance } from "./instance.ts";

/** A ring of (longitude, latitude); the first point is not repeated at the end. */
export type Ring = readonly (readonly [longitude: number, latitude: number])[];

/** Outer rings of a volume's outline: a sector's own, or the cell's; none for a place, and for cells across the date line. */
export function outlineOf(instance: Instance, volume: number): readonly Ring[] {
  const { outline } = instance.volumeDetails[volume];
  if (outline !== undefined) return outline.map(([outer]) => outer);
  const id = instance.volumeIds[volume];
  if (!isValidCell(id)) return [];
  const ring = cellToBoundary(id).map(([latitude, longitude]) => [longitude, latitude] as const);
  const longitudes = ring.map(([longitude]) => longitude);
  return Math.max(...longitudes) - Math.min(...longitudes) > 180 ? [] : [ring];
}

/** What is to be said of volumes as a map for geographic tools. */
export function volumeMap(
  instance: Instance,
  said: readonly { readonly volume: number; readonly properties: object }[],
): object {
  const features = said.map(({ volume, properties }) => {
    return { type: "Feature", geometry: volumeGeometry(instance, volume), properties };
  });
  return { type: "FeatureCollection", features };
}

/** A volume as GeoJSON: its outline, else its place, else nothing. */
function volumeGeometry(instance: Instance, volume: number): object | null {
  const { outline } = instance.volumeDetails[volume];
  const closed = (ring: Ring): Ring => [...ring, ring[0]];
  if (outline !== undefined) {
    return { type: "MultiPolygon", coordinates: outline.map((rings) => rings.map(closed)) };
  }
  const [ring] = outlineOf(instance, volume);
  if (ring !== undefined) return { type: "Polygon", coordinates: [closed(ring)] };
  const place = [instance.volumeLongitude[volume], instance.volumeLatitude[volume]];
  return place.some(Number.isNaN) ? null : { type: "Point", coordinates: place };
}
