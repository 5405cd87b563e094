import { readCsvTable } from "@coppice/engine/files";
import { UsageError } from "@coppice/engine/usage-error";
import { z } from "zod";
import { countBins } from "../instance/assemble.ts";
import { type InputText, readJson } from "./input-text.ts";

/** Volume id -> range text such as "6:00-7:00" -> flights per hour. */
export type HourlyCapacity = ReadonlyMap<string, ReadonlyMap<string, number>>;

/**
 * Capacity per volume and bin. A range limits every hour of the clock in it.
 * `startMinute` is the clock minute of minute 0: a bin takes the hour in which it starts.
 * A volume or hour without a figure has no limit (Infinity); reference semantics turns that into 0 itself.
 */
export function spreadHours(
  source: string,
  hours: HourlyCapacity,
  volumeIds: readonly string[],
  binMinutes: number,
  startMinute = 0,
): Float64Array {
  const binCount = countBins(binMinutes);
  const hourOf = (bin: number): number => Math.floor(((startMinute + bin * binMinutes) % 1440) / 60);
  const rows = new Map(volumeIds.map((id, row) => [id, row]));
  const capacity = new Float64Array(volumeIds.length * binCount).fill(Number.POSITIVE_INFINITY);
  for (const [id, ranges] of hours) {
    const row = rows.get(id);
    if (row === undefined) {
      throw new UsageError(
        `${source}: capacity of unknown volume ${id}; the traffic has ${volumeIds.length} volumes, none with this id`,
      );
    }
    const perHour = hourlyFigures(`${source}: capacity of ${id}`, ranges);
    for (let bin = 0; bin < binCount; bin++) {
      capacity[row * binCount + bin] = perHour.get(hourOf(bin)) ?? Number.POSITIVE_INFINITY;
    }
  }
  return capacity;
}

/** Flights per hour of the clock; an hour that two ranges limit is a mistake. */
function hourlyFigures(where: string, ranges: ReadonlyMap<string, number>): Map<number, number> {
  const perHour = new Map<number, number>();
  for (const [range, flights] of ranges) {
    if (!(flights >= 0)) throw new UsageError(`${where} at ${range} is ${flights}; it must be 0 or more`);
    for (const hour of hoursOf(where, range)) {
      if (perHour.has(hour)) throw new UsageError(`${where}: the hour from ${hour}:00 is limited twice`);
      perHour.set(hour, flights);
    }
  }
  return perHour;
}

/** The hours of the clock in a range such as "6:00-9:00"; one that passes midnight goes on at 0:00. */
function hoursOf(where: string, range: string): number[] {
  const match = /^(\d{1,2}):00-(\d{1,2}):00$/.exec(range.trim());
  const [from, to] = match === null ? [Number.NaN, Number.NaN] : [Number(match[1]), Number(match[2])];
  if (!(from < 24 && to <= 24 && from !== to)) {
    throw new UsageError(`${where}: "${range}" is not a range of whole hours like "6:00-7:00"`);
  }
  return Array.from({ length: (to - from + 24) % 24 || 24 }, (_, hour) => (from + hour) % 24);
}

/** Reads `volume,hour,capacity`: flights per hour in the hour of the clock (0 to 23, UTC). */
export function readCapacityTable(file: InputText): { readonly source: string; readonly hours: HourlyCapacity } {
  const hours = new Map<string, Map<string, number>>();
  for (const row of readCsvTable(file.source, file.text, ["volume", "hour", "capacity"])) {
    const hour = row.integer("hour", 0, 23);
    const text = row.text("capacity");
    const flights = text === "" ? Number.NaN : Number(text);
    if (!(flights >= 0)) throw row.wrong(`capacity "${text}" is not a number of at least 0`);
    const volume = row.text("volume");
    const known = hours.get(volume) ?? new Map<string, number>();
    const range = `${hour}:00-${hour + 1}:00`;
    if (known.has(range)) throw row.wrong(`capacity of ${volume} in hour ${hour} again; give it once`);
    hours.set(volume, known.set(range, flights));
  }
  return { source: file.source, hours };
}

const featureShape = z.object({
  properties: z.object({
    traffic_volume_id: z.string(),
    capacity: z.union([z.string(), z.record(z.string(), z.number()), z.null()]).optional(),
  }),
  geometry: z.object({ coordinates: z.unknown() }).nullish(),
});
const collectionShape = z.object({ type: z.literal("FeatureCollection"), features: z.array(featureShape) });

/** Reads the capacity GeoJSON: hours per volume, and the middle of each volume's outline. */
export function readCapacityGeoJson(file: InputText): {
  readonly source: string;
  readonly hours: HourlyCapacity;
  readonly places: ReadonlyMap<string, { readonly latitude: number; readonly longitude: number }>;
} {
  const { features } = readJson(file.text, file.source, collectionShape);
  const hours = new Map<string, Map<string, number>>();
  const places = new Map<string, { latitude: number; longitude: number }>();
  for (const { properties, geometry } of features) {
    const id = properties.traffic_volume_id;
    const known = hours.get(id) ?? new Map<string, number>();
    for (const [range, flights] of Object.entries(rangesOf(file.source, id, properties.capacity))) {
      if (known.has(range)) {
        throw new UsageError(`${file.source}: capacity of ${id} at ${range} is given by two features`);
      }
      known.set(range, flights);
    }
    hours.set(id, known);
    const middle = middleOf(geometry?.coordinates);
    if (middle !== undefined) places.set(id, middle);
  }
  return { source: file.source, hours, places };
}

/** A capacity may arrive as text with single quotes. */
export function rangesOf(
  source: string,
  id: string,
  capacity: string | Record<string, number> | null | undefined,
): Record<string, number> {
  if (typeof capacity !== "string") return capacity ?? {};
  if (!/^\s*\{/.test(capacity)) {
    throw new UsageError(
      `${source}: capacity of ${id} is the text ${JSON.stringify(capacity)}; give a number, or ranges like { "6:00-9:00": 12 }`,
    );
  }
  return readJson(capacity.replaceAll("'", '"'), `${source}: capacity of ${id}`, z.record(z.string(), z.number()));
}

/** Middle of the box around all positions of a geometry, however deeply its arrays nest. */
function middleOf(coordinates: unknown): { latitude: number; longitude: number } | undefined {
  const box = { west: Infinity, east: -Infinity, south: Infinity, north: -Infinity };
  const visit = (part: unknown): void => {
    if (!Array.isArray(part)) return;
    const [longitude, latitude] = part;
    if (typeof longitude === "number" && typeof latitude === "number") {
      box.west = Math.min(box.west, longitude);
      box.east = Math.max(box.east, longitude);
      box.south = Math.min(box.south, latitude);
      box.north = Math.max(box.north, latitude);
    } else for (const inner of part) visit(inner);
  };
  visit(coordinates);
  if (!(box.west <= box.east)) return undefined;
  return { latitude: (box.south + box.north) / 2, longitude: (box.west + box.east) / 2 };
}
