import { UsageError } from "@coppice/engine/usage-error";
import { cellToLatLng, latLngToCell } from "h3-js";
import { assembleInstance, countBins, type FlightDraft } from "../instance/assemble.ts";
import type { Instance } from "../instance/instance.ts";
import { type HourlyCapacity, spreadHours } from "./capacity-file.ts";
import { type RuledVolume, ruledCapacity, underWeather } from "./capacity-rule.ts";
import type { DayRules, WeatherBox } from "./day-rules.ts";
import { type Airport, LONGEST_FLIGHT_MINUTES, type ScheduledFlight } from "./flight-table.ts";
import { busiestDate } from "./input-text.ts";
import { boxed, type Sector, sectorVisits } from "./sectors.ts";
import { cellVisits, type FlownVisit, flightMinutes, greatCircle, type Place, type Track } from "./track.ts";

export interface ScheduledDay {
  readonly name: string;
  readonly flights: readonly ScheduledFlight[];
  /** Needed for flights without a track, and for arrival volumes. */
  readonly airports: ReadonlyMap<string, Airport>;
  /** Flights' own tracks by id; the others fly the great circle. */
  readonly tracks?: ReadonlyMap<string, Track>;
  /** Volumes; H3 cells when absent. */
  readonly sectors?: readonly Sector[];
  readonly rules: DayRules;
  /** A name from `rules.scenarios`; all weather boxes apply when absent. */
  readonly scenario?: string;
  /** Replaces the capacity rule; volumes and hours it leaves out have no limit. */
  readonly capacity?: { readonly source: string; readonly hours: HourlyCapacity };
}

/** Builds an instance from a flight table: tracks through sectors or H3 cells, and arrival volumes `ARR:xxx`. */
export function importScheduledDay(day: ScheduledDay): Instance {
  const { flights, rules } = day;
  if (flights.length === 0) throw new UsageError(`${day.name}: no flights; the table has only its header`);
  const binCount = countBins(rules.binMinutes);
  const weather = weatherOf(day);
  const startMinute =
    rules.start === undefined
      ? busiestDate(
          flights.map(({ departureMinute }) => departureMinute),
          1440,
        )
      : Date.parse(rules.start) / 60_000;
  const flown = flyAll(day);
  const volumes = volumesOf(flown, day);
  const rows = new Map(volumes.map((volume, row) => [volume.id, row]));
  const rowOf = (id: string): number | undefined => rows.get(id);

  const entries = new Int32Array(volumes.length * binCount);
  const drafts = flights.map((flight, f): FlightDraft => {
    const takeoffMinute = flight.departureMinute - startMinute;
    const track = flown[f];
    const visit = (volume: number, entry: number, exit: number) => {
      const bin = Math.floor((takeoffMinute + entry) / rules.binMinutes);
      if (bin >= 0 && bin < binCount) entries[volume * binCount + bin]++;
      return {
        volume,
        entrySecond: entry * 60,
        exitSecond: exit * 60,
        indexBin: Math.min(Math.max(bin, 0), binCount - 1),
      };
    };
    const visits = track.visits.map(({ volume, entryMinute, exitMinute }) =>
      visit(rowOf(volume) ?? -1, entryMinute, exitMinute),
    );
    const arrival = rowOf(`ARR:${flight.destination}`);
    if (arrival !== undefined) visits.push(visit(arrival, track.minutes, track.minutes));
    const origin = day.airports.get(flight.origin);
    return {
      id: flight.id,
      origin: flight.origin,
      destination: flight.destination,
      ...(flight.airline === undefined ? {} : { airline: flight.airline }),
      ...(flight.route === undefined ? {} : { route: flight.route }),
      ...(origin && { originGroup: latLngToCell(origin.latitude, origin.longitude, rules.flowResolution) }),
      takeoffSecond: takeoffMinute * 60,
      visits,
    };
  });
  const clockMinute = ((startMinute % 1440) + 1440) % 1440;
  const given =
    day.capacity &&
    spreadHours(
      day.capacity.source,
      day.capacity.hours,
      volumes.map(({ id }) => id),
      rules.binMinutes,
      clockMinute,
    );
  const usual = given ?? ruledCapacity(volumes, entries, rules);
  // The least capacity in weather is part of the rule; capacities that were given lose the whole share.
  const least = given === undefined ? rules.capacity.minimumInWeather : 0;
  const capacity = underWeather(usual, volumes, rules, weather, clockMinute / 60, least);
  const start = new Date(startMinute * 60_000).toISOString().replace(".000Z", "Z");
  const { name, airports } = day;
  return assembleInstance({ name, start, binMinutes: rules.binMinutes, volumes, flights: drafts, airports, capacity });
}

function weatherOf({ rules, scenario }: ScheduledDay): WeatherBox[] {
  if (scenario === undefined) return rules.weather;
  const chosen = rules.scenarios[scenario];
  if (chosen === undefined) {
    throw new UsageError(
      `--scenario ${scenario}: the rules have ${Object.keys(rules.scenarios).join(", ") || "no scenarios"}`,
    );
  }
  return rules.weather.filter((box) => chosen.includes(box.name));
}

/** What a flight enters, and how long it is on its way. */
interface Flown {
  readonly minutes: number;
  readonly visits: readonly FlownVisit[];
}

/** Each flight's visits; flights without a track of their own on the same route with the same duration share one. */
function flyAll(day: ScheduledDay): Flown[] {
  const { rules, airports } = day;
  const sectors = day.sectors && boxed(day.sectors);
  const flown = (track: Track): Flown => ({
    minutes: track.toMinute,
    visits: sectors === undefined ? cellVisits(track, rules.cellResolution) : sectorVisits(track, sectors),
  });
  const known = new Map<string, Flown>();
  return day.flights.map((flight) => {
    const own = day.tracks?.get(flight.id);
    if (own !== undefined) return flown(own);
    if (airports.size === 0)
      throw new UsageError(`${day.name}: flight ${flight.id} has no points; it needs --airports`);
    const [from, to] = [placeOf(day, flight.origin), placeOf(day, flight.destination)];
    const minutes =
      flight.arrivalMinute === undefined
        ? flightMinutes(from, to, rules.track)
        : Math.round(flight.arrivalMinute - flight.departureMinute);
    if (minutes > LONGEST_FLIGHT_MINUTES) {
      throw new UsageError(
        `${day.name}: flight ${flight.id} would take ${minutes} minutes, more than a day; see "track" in the rules`,
      );
    }
    const key = `${flight.origin} ${flight.destination} ${minutes}`;
    const shared = known.get(key) ?? flown(greatCircle(from, to, minutes, rules.track.cruiseFeet));
    known.set(key, shared);
    return shared;
  });
}

/** Sectors as they are given, or cells in the order flights first enter them; then the busiest arrival airports (ties: by code). */
function volumesOf(flown: readonly Flown[], day: ScheduledDay): RuledVolume[] {
  const arrivals = new Map<string, number>();
  for (const { destination } of day.flights) arrivals.set(destination, (arrivals.get(destination) ?? 0) + 1);
  const busiest = [...arrivals]
    .sort(([codeA, a], [codeB, b]) => b - a || (codeA < codeB ? -1 : 1))
    .slice(0, day.rules.arrivalVolumes ?? (day.sectors === undefined ? USUAL_ARRIVAL_VOLUMES : 0));
  return [
    ...(day.sectors === undefined ? cellsOf(flown) : day.sectors.map(sectorVolume)),
    ...busiest.map(([code]): RuledVolume => ({ id: `ARR:${code}`, ...placeOf(day, code), arrivals: true })),
  ];
}

/** How many airports get an arrival volume where the volumes are cells and the rules do not say. */
const USUAL_ARRIVAL_VOLUMES = 40;

function cellsOf(flown: readonly Flown[]): RuledVolume[] {
  const cells = new Set(flown.flatMap(({ visits }) => visits.map(({ volume }) => volume)));
  return [...cells].map((id) => {
    const [latitude, longitude] = cellToLatLng(id);
    return { id, latitude, longitude, arrivals: false };
  });
}

/** A sector is taken to be in the middle of the box around it. */
function sectorVolume(sector: Sector): RuledVolume {
  const [{ south, north, west, east }] = boxed([sector]);
  return { ...sector, latitude: (south + north) / 2, longitude: (west + east) / 2, arrivals: false };
}

function placeOf(day: ScheduledDay, code: string): Place {
  const place = day.airports.get(code);
  if (place === undefined) throw new UsageError(`${day.name}: unknown airport "${code}"`);
  return place;
}
