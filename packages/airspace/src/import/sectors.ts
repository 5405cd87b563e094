import { onlyGiven } from "@coppice/engine/only-given";
import { UsageError } from "@coppice/engine/usage-error";
import { z } from "zod";
import type { Ring } from "../instance/outline.ts";
import { type HourlyCapacity, rangesOf } from "./capacity-file.ts";
import { type InputText, oneLine, readJson } from "./input-text.ts";
import type { FlownVisit, Position, Track } from "./track.ts";

/** A block of airspace: polygons (rings of longitude and latitude, the outer one first) between two heights. */
export interface Sector {
  readonly id: string;
  readonly label?: string;
  /** Feet; the floor belongs to the sector, the ceiling does not. */
  readonly floor?: number;
  readonly ceiling?: number;
  readonly outline: readonly (readonly Ring[])[];
}

/** A position every ten seconds: some two kilometres at cruising speed. */
const STEPS_PER_MINUTE = 6;

const position = z
  .array(z.number())
  .min(2)
  .refine(
    ([longitude, latitude]) => Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90,
    "not (longitude, latitude)",
  )
  .transform(([longitude, latitude]) => [longitude, latitude] as const);
const ring = z
  .array(position)
  .min(4, "a ring has at least four positions, the last one like the first")
  .refine((points) => sameSpot(points[0], points[points.length - 1]), "the last position of a ring must be its first")
  .transform((points) => points.slice(0, -1));
const polygon = z.array(ring).min(1);
const sectorShape = z.object({
  type: z.literal("Feature"),
  properties: z.object({
    id: oneLine.optional(),
    traffic_volume_id: oneLine.optional(),
    name: oneLine.optional(),
    floor: z.number().optional(),
    ceiling: z.number().optional(),
    capacity: z.union([z.number(), z.string(), z.record(z.string(), z.number()), z.null()]).optional(),
  }),
  geometry: z.discriminatedUnion("type", [
    z.object({ type: z.literal("Polygon"), coordinates: polygon }),
    z.object({ type: z.literal("MultiPolygon"), coordinates: z.array(polygon).min(1) }),
  ]),
});
const fileShape = z.object({ type: z.literal("FeatureCollection"), features: z.array(sectorShape).min(1) });

/** Reads sectors as GeoJSON, and the capacities that they carry, if any does. */
export function readSectors(file: InputText): {
  readonly sectors: readonly Sector[];
  readonly capacity: { readonly source: string; readonly hours: HourlyCapacity } | undefined;
} {
  const { features } = readJson(file.text, file.source, fileShape);
  const hours = new Map<string, ReadonlyMap<string, number>>();
  const seen = new Set<string>();
  const sectors = features.map(({ properties, geometry }, at): Sector => {
    const { name, floor, ceiling, capacity } = properties;
    const id = properties.id ?? properties.traffic_volume_id;
    if (id === undefined) throw new UsageError(`${file.source}: sector ${at + 1} has no id; give properties.id`);
    if (id.startsWith("ARR:"))
      throw new UsageError(`${file.source}: sector ${id}: ids that begin with ARR: count landings`);
    if (seen.has(id))
      throw new UsageError(`${file.source}: there are two sectors ${id}; every sector needs an id of its own`);
    seen.add(id);
    if (floor !== undefined && ceiling !== undefined && floor >= ceiling) {
      throw new UsageError(`${file.source}: sector ${id}: its floor ${floor} is not below its ceiling ${ceiling}`);
    }
    const ranges = typeof capacity === "number" ? { "0:00-24:00": capacity } : rangesOf(file.source, id, capacity);
    if (Object.keys(ranges).length > 0) hours.set(id, new Map(Object.entries(ranges)));
    return {
      id,
      ...onlyGiven({ label: name, floor, ceiling }),
      outline: geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates,
    };
  });
  return { sectors, capacity: hours.size === 0 ? undefined : { source: file.source, hours } };
}

function sameSpot(a: readonly number[], b: readonly number[]): boolean {
  return a[0] === b[0] && a[1] === b[1];
}

/** The box around a sector, so that most positions are not compared with its outline. */
interface BoxedSector extends Sector {
  readonly west: number;
  readonly east: number;
  readonly south: number;
  readonly north: number;
}

export function boxed(sectors: readonly Sector[]): readonly BoxedSector[] {
  return sectors.map((sector) => {
    const points = sector.outline.flatMap(([outer]) => outer);
    const [longitudes, latitudes] = [points.map(([x]) => x), points.map(([, y]) => y)];
    return {
      ...sector,
      west: Math.min(...longitudes),
      east: Math.max(...longitudes),
      south: Math.min(...latitudes),
      north: Math.max(...latitudes),
    };
  });
}

/** Every stay of a track in a sector, in the order of entry; sectors may lie over each other. */
export function sectorVisits({ fromMinute, toMinute, at }: Track, sectors: readonly BoxedSector[]): FlownVisit[] {
  const visits: FlownVisit[] = [];
  const entered = new Map<string, number>();
  const steps = Math.round((toMinute - fromMinute) * STEPS_PER_MINUTE);
  for (let step = 0; step <= steps; step++) {
    const minute = Math.min(toMinute, fromMinute + step / STEPS_PER_MINUTE);
    const here = at(minute);
    for (const sector of sectors) {
      const since = entered.get(sector.id);
      const inside = isInside(here, sector);
      if (inside && since === undefined) entered.set(sector.id, minute);
      else if (!inside && since !== undefined) {
        visits.push({ volume: sector.id, entryMinute: since, exitMinute: minute });
        entered.delete(sector.id);
      }
    }
  }
  for (const [volume, entryMinute] of entered) visits.push({ volume, entryMinute, exitMinute: toMinute });
  return visits.sort((a, b) => a.entryMinute - b.entryMinute);
}

function isInside({ latitude, longitude, feet }: Position, sector: BoxedSector): boolean {
  if (feet < (sector.floor ?? Number.NEGATIVE_INFINITY) || feet >= (sector.ceiling ?? Number.POSITIVE_INFINITY)) {
    return false;
  }
  if (longitude < sector.west || longitude > sector.east || latitude < sector.south || latitude > sector.north) {
    return false;
  }
  return sector.outline.some((rings) => rings.reduce((odd, each) => odd !== crosses(each, longitude, latitude), false));
}

/** Whether a line to the east of a point crosses a ring an odd number of times. */
function crosses(points: Ring, x: number, y: number): boolean {
  let odd = false;
  for (let i = 0, j = points.length - 1; i < points.length; j = i++) {
    const [[xi, yi], [xj, yj]] = [points[i], points[j]];
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) odd = !odd;
  }
  return odd;
}
