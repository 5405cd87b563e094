import { UsageError } from "@coppice/engine/usage-error";
import type { AirportDetails, Instance, VolumeDetails } from "./instance.ts";

/** A flight before it is packed; visits in any order. */
export interface FlightDraft {
  readonly id: string;
  readonly origin?: string;
  readonly destination?: string;
  /** Flights of the same group belong together when flows are formed; the origin when absent. */
  readonly originGroup?: string;
  readonly airline?: string;
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
  const packed = {
    flightOrigin: Int32Array.from(day.flights, (flight) => airports.of(flight.origin)),
    flightDestination: Int32Array.from(day.flights, (flight) => airports.of(flight.destination)),
    flightAirline: Int32Array.from(day.flights, (flight) => airlines.of(flight.airline)),
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
    volumeDetails: day.volumes.map(({ label, floor, ceiling, outline }) => ({
      ...(label === undefined ? {} : { label }),
      ...(floor === undefined ? {} : { floor }),
      ...(ceiling === undefined ? {} : { ceiling }),
      ...(outline === undefined ? {} : { outline }),
    })),
    volumeLatitude: Float64Array.from(day.volumes, (volume) => volume.latitude ?? Number.NaN),
    volumeLongitude: Float64Array.from(day.volumes, (volume) => volume.longitude ?? Number.NaN),
    capacity: day.capacity,
    flightIds: day.flights.map((flight) => flight.id),
    airports: airports.names,
    airportDetails: airports.names.map((code) => day.airports?.get(code) ?? {}),
    airlines: airlines.names,
    ...packed,
    ...groupByOrigin(groups, day.volumes.length, packed),
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

/** How many origin groups of a volume become flows of their own; all others share one more flow. */
const NAMED_FLOWS = 5;

/**
 * Flows of each volume: the five origin groups with most visits (ties: group name) are flows 0..4, the rest flow 5.
 * `groups[f]` is the origin group of flight f.
 */
function groupByOrigin(
  groups: readonly string[],
  volumeCount: number,
  traffic: Pick<Instance, "visitOffset" | "visitVolume">,
): Pick<Instance, "flowNames" | "visitFlow"> {
  const { visitOffset, visitVolume } = traffic;
  const visitsByGroup = Array.from({ length: volumeCount }, () => new Map<string, number>());
  groups.forEach((group, f) => {
    for (let i = visitOffset[f]; i < visitOffset[f + 1]; i++) {
      const counts = visitsByGroup[visitVolume[i]];
      counts.set(group, (counts.get(group) ?? 0) + 1);
    }
  });
  const named = visitsByGroup.map((counts) =>
    [...counts]
      .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
      .slice(0, NAMED_FLOWS)
      .map(([group]) => group),
  );
  const visitFlow = new Int16Array(visitVolume.length);
  groups.forEach((group, f) => {
    for (let i = visitOffset[f]; i < visitOffset[f + 1]; i++) {
      const flow = named[visitVolume[i]].indexOf(group);
      visitFlow[i] = flow === -1 ? NAMED_FLOWS : flow;
    }
  });
  const flowNames = named.map((names, v) => (visitsByGroup[v].size > names.length ? [...names, "other"] : names));
  return { flowNames, visitFlow };
}
