import { type Instance, wholeLimit } from "../instance/instance.ts";

/**
 * A day as JSON: what it takes to score plans and to say whom they delay. Left out are the names of flights, where they
 * go and when they leave a volume; capacities are those that counts are compared with.
 */
export interface DayColumns {
  readonly name: string;
  readonly start: string;
  readonly binMinutes: number;
  readonly binCount: number;
  readonly volumeIds: readonly string[];
  readonly flowNames: readonly (readonly string[])[];
  /** Flights per rolling hour for [volume * binCount + bin]; null where there is no limit. */
  readonly capacity: readonly (number | null)[];
  readonly airports: readonly string[];
  readonly flightOrigin: readonly number[];
  readonly takeoffSecond: readonly number[];
  readonly visitsOfFlight: readonly number[];
  readonly visitVolume: readonly number[];
  readonly visitFlow: readonly number[];
  readonly entrySecond: readonly number[];
}

/** Packs a day for a page. */
export function packDay(day: Instance): DayColumns {
  const { name, start, binMinutes, binCount, volumeIds, flowNames, airports, visitOffset } = day;
  return {
    ...{ name, start, binMinutes, binCount, volumeIds, flowNames, airports },
    capacity: Array.from(day.capacity, wholeLimit),
    flightOrigin: listOf(day.flightOrigin),
    takeoffSecond: listOf(day.takeoffSecond),
    visitsOfFlight: day.flightIds.map((_, flight) => visitOffset[flight + 1] - visitOffset[flight]),
    visitVolume: listOf(day.visitVolume),
    visitFlow: listOf(day.visitFlow),
    entrySecond: listOf(day.entrySecond),
  };
}

/** A tenth of what spreading takes, which is felt at the end of every plan search of a whole day. */
function listOf(values: Float64Array | Int32Array | Int16Array): number[] {
  const list = new Array<number>(values.length);
  for (let at = 0; at < values.length; at++) list[at] = values[at];
  return list;
}

/** The day again, as far as it was packed: plans cost the same on it. */
export function unpackDay(columns: DayColumns): Instance {
  const { name, start, binMinutes, binCount, volumeIds, flowNames, airports, visitsOfFlight } = columns;
  const [flights, visits, volumes] = [visitsOfFlight.length, columns.visitVolume.length, volumeIds.length];
  const visitOffset = new Int32Array(flights + 1);
  visitsOfFlight.forEach((count, flight) => {
    visitOffset[flight + 1] = visitOffset[flight] + count;
  });
  const unknown = new Int32Array(flights).fill(-1);
  return {
    ...{ name, start, binMinutes, binCount, volumeIds, flowNames, airports, visitOffset },
    volumeDetails: volumeIds.map(() => ({})),
    volumeLatitude: new Float64Array(volumes).fill(Number.NaN),
    volumeLongitude: new Float64Array(volumes).fill(Number.NaN),
    capacity: Float64Array.from(columns.capacity, (limit) => limit ?? Number.POSITIVE_INFINITY),
    flightIds: visitsOfFlight.map(() => ""),
    airportDetails: airports.map(() => ({})),
    airlines: [],
    flightAirline: unknown,
    routes: [],
    flightRoute: unknown,
    flightOrigin: Int32Array.from(columns.flightOrigin),
    flightDestination: unknown,
    takeoffSecond: Float64Array.from(columns.takeoffSecond),
    visitVolume: Int32Array.from(columns.visitVolume),
    entrySecond: Float64Array.from(columns.entrySecond),
    exitSecond: new Float64Array(visits),
    indexBin: new Int32Array(visits),
    visitFlow: Int16Array.from(columns.visitFlow),
  };
}
