import { UsageError } from "@coppice/engine/usage-error";

/**
 * One day of traffic against capacity, as flat arrays. Minute 0 is `start`; the day has `binCount` bins of `binMinutes`.
 *
 * Visits are sorted by flight, then by entry. A visit is one entry into a volume (flight tables, published times per
 * bin): `takeoffSecond + entrySecond` is its clock time in seconds after `start`. `indexBin` is the bin its source file
 * gave it, which may differ from the bin of its clock time; only reference semantics reads it.
 */
export interface Instance {
  readonly name: string;
  /** ISO time of minute 0, UTC. */
  readonly start: string;
  readonly binMinutes: number;
  readonly binCount: number;

  readonly volumeIds: readonly string[];
  /** What is known about each of them besides. */
  readonly volumeDetails: readonly VolumeDetails[];
  /** Degrees; NaN where unknown. */
  readonly volumeLatitude: Float64Array;
  readonly volumeLongitude: Float64Array;
  /** Flights per rolling hour for [volume * binCount + bin], as given; Infinity means no limit, 0 means closed. */
  readonly capacity: Float64Array;
  /** Where the capacities come from, in words; absent where nobody said. */
  readonly capacityFrom?: string;
  /** Names of each volume's flows; a visit's flow indexes this list. */
  readonly flowNames: readonly (readonly string[])[];

  readonly flightIds: readonly string[];
  readonly airports: readonly string[];
  /** What is known about each of them. */
  readonly airportDetails: readonly AirportDetails[];
  readonly airlines: readonly string[];
  /** Index into `airlines`, or -1 where unknown. */
  readonly flightAirline: Int32Array;
  readonly routes: readonly string[];
  /** Index into `routes`, or -1 where unknown. */
  readonly flightRoute: Int32Array;
  /** Index into `airports`, or -1 where unknown. */
  readonly flightOrigin: Int32Array;
  readonly flightDestination: Int32Array;
  /** Seconds after `start`; may be negative or past the end of the day. */
  readonly takeoffSecond: Float64Array;

  /** Visits of flight f are [visitOffset[f], visitOffset[f + 1]). */
  readonly visitOffset: Int32Array;
  readonly visitVolume: Int32Array;
  /** Seconds after take-off. */
  readonly entrySecond: Float64Array;
  readonly exitSecond: Float64Array;
  readonly indexBin: Int32Array;
  /** Flow of the flight at the visited volume. */
  readonly visitFlow: Int16Array;
}

/** What people know of an airport besides its code. */
export interface AirportDetails {
  readonly latitude?: number;
  readonly longitude?: number;
  readonly city?: string;
  /** Time zone, such as America/New_York. */
  readonly zone?: string;
}

/** What people know of a volume besides its id. */
export interface VolumeDetails {
  /** A name of its source's own. */
  readonly label?: string;
  /** Feet. */
  readonly floor?: number;
  readonly ceiling?: number;
  /** Polygons as rings of (longitude, latitude), the first ring of each the outer one. */
  readonly outline?: readonly (readonly (readonly (readonly [longitude: number, latitude: number])[])[])[];
}

/** Bins [from, to). */
export type BinWindow = readonly [from: number, to: number];

/** Bins that form one hour. */
export function binsPerHour(instance: Pick<Instance, "binMinutes">): number {
  return 60 / instance.binMinutes;
}

/** Capacity as compared with rolling-hour counts: rounded half to even, never negative, Infinity where unlimited. */
export function wholeCapacity(flightsPerHour: number): number {
  if (flightsPerHour === Number.POSITIVE_INFINITY) return flightsPerHour;
  return Math.max(0, roundHalfEven(flightsPerHour));
}

/** The same as data: JSON has no Infinity, so no limit is null. */
export function wholeLimit(flightsPerHour: number): number | null {
  return flightsPerHour === Number.POSITIVE_INFINITY ? null : wholeCapacity(flightsPerHour);
}

/** The nearest whole number; halves go to the even neighbour. */
export function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest < 0.5) return floor;
  if (rest > 0.5) return floor + 1;
  return floor % 2 === 0 ? floor : floor + 1;
}

/** The middle value, or the mean of the two middle ones; NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Row of a volume by its id. */
export function volumeOfId(instance: Instance, id: string, where = ""): number {
  const volume = instance.volumeIds.indexOf(id);
  if (volume === -1) {
    const examples = instance.volumeIds.slice(0, 3).join(", ");
    throw new UsageError(
      `${where}${instance.name} has no volume ${JSON.stringify(id)}; it has ${instance.volumeIds.length}: ${examples}, …`,
    );
  }
  return volume;
}
