import { type RuledVolume, ruledCapacity, underWeather } from "../src/import/capacity-rule.ts";
import { usDayRules } from "../src/import/us-day-tables.ts";
import type { Instance } from "../src/instance/instance.ts";
import { usDay } from "../src/instance/us-day.ts";

/** Airports whose arrivals are kept. */
const DESTINATIONS = ["BOS", "LGA", "EWR", "JFK", "PHL", "DCA", "BWI", "IAD"];

/** Bins in which they land, both inclusive. */
const LANDING_BINS = [40, 71] as const;

/** Volumes that are kept: those these flights visit most. */
const VOLUMES = 40;

/**
 * The real day cut down to what an exact solver can do: one afternoon's arrivals at eight airports of the north-east and
 * the 40 volumes they visit most. Capacities follow the day's rule on the traffic that is left, flows are the whole day's.
 */
export function cutDownDay(): Instance {
  const day = usDay();
  const flights = [...day.flightIds.keys()].filter((f) => isKept(day, f));
  const volumes = mostVisited(day, flights);
  const rowOf = new Int32Array(day.volumeIds.length).fill(-1);
  volumes.forEach((volume, row) => {
    rowOf[volume] = row;
  });
  const visitsOf = (f: number): number[] => {
    const visits: number[] = [];
    for (let i = day.visitOffset[f]; i < day.visitOffset[f + 1]; i++)
      if (rowOf[day.visitVolume[i]] >= 0) visits.push(i);
    return visits;
  };
  const visits = flights.flatMap(visitsOf);
  const visitOffset = new Int32Array(flights.length + 1);
  flights.forEach((f, at) => {
    visitOffset[at + 1] = visitOffset[at] + visitsOf(f).length;
  });
  const cut = {
    ...day,
    name: `${day.name}, cut down`,
    volumeIds: volumes.map((volume) => day.volumeIds[volume]),
    volumeLatitude: Float64Array.from(volumes, (volume) => day.volumeLatitude[volume]),
    volumeLongitude: Float64Array.from(volumes, (volume) => day.volumeLongitude[volume]),
    flowNames: volumes.map((volume) => day.flowNames[volume]),
    flightIds: flights.map((f) => day.flightIds[f]),
    flightOrigin: Int32Array.from(flights, (f) => day.flightOrigin[f]),
    flightDestination: Int32Array.from(flights, (f) => day.flightDestination[f]),
    takeoffSecond: Float64Array.from(flights, (f) => day.takeoffSecond[f]),
    visitOffset,
    visitVolume: Int32Array.from(visits, (i) => rowOf[day.visitVolume[i]]),
    entrySecond: Float64Array.from(visits, (i) => day.entrySecond[i]),
    exitSecond: Float64Array.from(visits, (i) => day.exitSecond[i]),
    indexBin: Int32Array.from(visits, (i) => day.indexBin[i]),
    visitFlow: Int16Array.from(visits, (i) => day.visitFlow[i]),
  };
  return { ...cut, capacity: capacityOf(cut) };
}

function isKept(day: Instance, flight: number): boolean {
  if (!DESTINATIONS.includes(day.airports[day.flightDestination[flight]])) return false;
  const bin = day.indexBin[day.visitOffset[flight + 1] - 1];
  return bin >= LANDING_BINS[0] && bin <= LANDING_BINS[1];
}

/** Arrival volumes, then cells, each by visits. */
function mostVisited(day: Instance, flights: readonly number[]): number[] {
  const visits = new Int32Array(day.volumeIds.length);
  for (const f of flights)
    for (let i = day.visitOffset[f]; i < day.visitOffset[f + 1]; i++) visits[day.visitVolume[i]]++;
  const isArrival = (volume: number) => (isArrivals(day.volumeIds[volume]) ? 1 : 0);
  return [...visits.keys()]
    .sort((a, b) => visits[b] - visits[a] || a - b)
    .slice(0, VOLUMES)
    .sort((a, b) => isArrival(b) - isArrival(a));
}

/** The day's rule with lower floors, because there is less traffic, peaks of any hour, and the first box's storm over every box. */
function capacityOf(cut: Omit<Instance, "capacity">): Float64Array {
  const rules = usDayRules();
  const floors = { minimum: 6, minimumInWeather: 4, peakBins: [0, cut.binCount - 1] as [number, number] };
  const volumes = cut.volumeIds.map(
    (id, v): RuledVolume => ({
      id,
      latitude: cut.volumeLatitude[v],
      longitude: cut.volumeLongitude[v],
      arrivals: isArrivals(id),
    }),
  );
  const entries = new Int32Array(volumes.length * cut.binCount);
  cut.indexBin.forEach((bin, i) => {
    entries[cut.visitVolume[i] * cut.binCount + bin]++;
  });
  const { fromHour, toHour, cut: share } = rules.weather[0];
  const weather = rules.weather.map((box) => ({ ...box, fromHour, toHour, cut: share }));
  const startHour = new Date(cut.start).getUTCHours();
  const lowered = { ...rules, capacity: { ...rules.capacity, ...floors } };
  return underWeather(ruledCapacity(volumes, entries, lowered), volumes, lowered, weather, startHour);
}

function isArrivals(volumeId: string): boolean {
  return volumeId.startsWith("ARR:");
}
