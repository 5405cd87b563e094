import { onlyGiven } from "@coppice/engine/only-given";
import { UsageError } from "@coppice/engine/usage-error";
import { groupVisits } from "./flows.ts";
import type { AirportDetails, Instance, VolumeDetails } from "./instance.ts";

/** A flight before it is packed; visits in any order. */
export interface FlightDraft {
  readonly id: string;
  readonly origin?: string;
  readonly destination?: string;
  /** Flights of the same group belong together when flows are formed; the origin when absent. */
  readonly originGroup?: string;
  readonly airline?: string;
  readonly route?: string;
  readonly takeoffSecond: number;
  readonly visits: readonly VisitDraft[];
}

interface VisitDraft {
  readonly volume: number;
  readonly entrySecond: number;
  readonly exitSecond: number;
  readonly indexBin: number;
}

export interface VolumeDraft extends VolumeDetails {
  readonly id: string;
  readonly latitude?: number;
  readonly longitude?: number;
}

interface DayDraft {
  readonly name: string;
  readonly start: string;
  readonly binMinutes: number;
  readonly volumes: readonly VolumeDraft[];
  readonly flights: readonly FlightDraft[];
  readonly airports?: ReadonlyMap<string, AirportDetails>;
  /** Per volume and bin; Infinity where unlimited. */
  readonly capacity: Float64Array;
}

/** Packs a day into typed arrays; flights keep their order, visits are sorted by entry (stable). */
export function assembleInstance(day: DayDraft): Instance {
  const binCount = countBins(day.binMinutes);
  if (day.flights.length === 0) throw new UsageError(`${day.name}: no flights; an instance needs at least one`);
  if (day.capacity.length !== day.volumes.length * binCount) throw new RangeError("capacity has the wrong length");
  const visitCount = day.flights.reduce((sum, flight) => sum + flight.visits.length, 0);
  const airports = new Numbering();
  const airlines = new Numbering();
  const routes = new Numbering();
  const packed = {
    flightOrigin: Int32Array.from(day.flights, (flight) => airports.of(flight.origin)),
    flightDestination: Int32Array.from(day.flights, (flight) => airports.of(flight.destination)),
    flightAirline: Int32Array.from(day.flights, (flight) => airlines.of(flight.airline)),
    flightRoute: Int32Array.from(day.flights, (flight) => routes.of(flight.route)),
    takeoffSecond: Float64Array.from(day.flights, (flight) => flight.takeoffSecond),
    visitOffset: new Int32Array(day.flights.length + 1),
    visitVolume: new Int32Array(visitCount),
    entrySecond: new Float64Array(visitCount),
    exitSecond: new Float64Array(visitCount),
    indexBin: new Int32Array(visitCount),
  };
  let next = 0;
  day.flights.forEach((flight, f) => {
    packed.visitOffset[f] = next;
    for (const visit of [...flight.visits].sort((a, b) => a.entrySecond - b.entrySecond)) {
      packed.visitVolume[next] = visit.volume;
      packed.entrySecond[next] = visit.entrySecond;
      packed.exitSecond[next] = visit.exitSecond;
      packed.indexBin[next] = visit.indexBin;
      next++;
    }
  });
  packed.visitOffset[day.flights.length] = next;
  const groups = day.flights.map((flight) => flight.originGroup ?? flight.origin ?? "");
  return {
    name: day.name,
    start: day.start,
    binMinutes: day.binMinutes,
    binCount,
    volumeIds: day.volumes.map((volume) => volume.id),
    volumeDetails: day.volumes.map(({ label, floor, ceiling, outline }) =>
      onlyGiven({ label, floor, ceiling, outline }),
    ),
    volumeLatitude: Float64Array.from(day.volumes, (volume) => volume.latitude ?? Number.NaN),
    volumeLongitude: Float64Array.from(day.volumes, (volume) => volume.longitude ?? Number.NaN),
    capacity: day.capacity,
    flightIds: day.flights.map((flight) => flight.id),
    airports: airports.names,
    airportDetails: airports.names.map((code) => day.airports?.get(code) ?? {}),
    airlines: airlines.names,
    routes: routes.names,
    ...packed,
    ...groupVisits(packed, day.volumes.length, (flight) => groups[flight]),
  };
}

/** Names numbered in the order they first appear; no name is -1. */
class Numbering {
  readonly #numbers = new Map<string, number>();

  of(name: string | undefined): number {
    if (name === undefined || name === "") return -1;
    const number = this.#numbers.get(name) ?? this.#numbers.size;
    this.#numbers.set(name, number);
    return number;
  }

  get names(): string[] {
    return [...this.#numbers.keys()];
  }
}

/** Bins of a day; the bin must divide an hour so that rolling hours are whole bins. */
export function countBins(binMinutes: number): number {
  if (!Number.isInteger(binMinutes) || binMinutes < 1 || 60 % binMinutes !== 0) {
    throw new UsageError(
      `bin of ${binMinutes} minutes: 60 must be divisible by it (1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30 or 60)`,
    );
  }
  return 1440 / binMinutes;
}
