import { UsageError } from "@coppice/engine/usage-error";
import { cellToLatLng, latLngToCell } from "h3-js";
import { assembleInstance, countBins, type FlightDraft } from "../instance/assemble.ts";
import type { Instance } from "../instance/instance.ts";
import { type HourlyCapacity, spreadHours } from "./capacity-file.ts";
import { type RuledVolume, ruledCapacity, underWeather } from "./capacity-rule.ts";
import type { DayRules, WeatherBox } from "./day-rules.ts";
import type { Airport, ScheduledFlight } from "./flight-table.ts";
import { type FlownCells, flightMinutes, flownCells, type Place } from "./flown-cells.ts";
import { busiestDate } from "./input-text.ts";

export interface ScheduledDay {
  readonly name: string;
  readonly flights: readonly ScheduledFlight[];
  readonly airports: ReadonlyMap<string, Airport>;
  readonly rules: DayRules;
  /** A name from `rules.scenarios`; all weather boxes apply when absent. */
  readonly scenario?: string;
  /** Replaces the capacity rule; volumes and hours it leaves out have no limit. */
  readonly capacity?: { readonly source: string; readonly hours: HourlyCapacity };
}

/** Builds an instance from a flight table: great-circle tracks through H3 cells, and arrival volumes `ARR:xxx`. */
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
  const tracks = trackFlights(day);
  const volumes = volumesOf(tracks, flights, day);
  const rows = new Map(volumes.map((volume, row) => [volume.id, row]));
  const rowOf = (id: string): number | undefined => rows.get(id);

  const entries = new Int32Array(volumes.length * binCount);
  const drafts = flights.map((flight, f): FlightDraft => {
    const takeoffMinute = flight.departureMinute - startMinute;
    const track = tracks[f];
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
    const visits = track.cells.map((cell, i) =>
      visit(rowOf(cell) ?? -1, track.entryMinute[i], track.entryMinute[i + 1] ?? track.minutes),
    );
    const arrival = rowOf(`ARR:${flight.destination}`);
    if (arrival !== undefined) visits.push(visit(arrival, track.minutes, track.minutes));
    const { latitude, longitude } = placeOf(day, flight.origin);
    return {
      id: flight.id,
      origin: flight.origin,
      destination: flight.destination,
      ...(flight.airline === undefined ? {} : { airline: flight.airline }),
      ...(flight.route === undefined ? {} : { route: flight.route }),
      originGroup: latLngToCell(latitude, longitude, rules.flowResolution),
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
  const capacity = underWeather(usual, volumes, rules, weather, clockMinute / 60);
  const start = new Date(startMinute * 60_000).toISOString().replace(".000Z", "Z");
  const { name, airports } = day;
  return assembleInstance({ name, start, binMinutes: rules.binMinutes, volumes, flights: drafts, airports, capacity });
}

function weatherOf({ name, rules, scenario }: ScheduledDay): WeatherBox[] {
  if (scenario === undefined) return rules.weather;
  const chosen = rules.scenarios[scenario];
  if (chosen === undefined) {
    throw new UsageError(
      `${name}: no scenario "${scenario}"; there are ${Object.keys(rules.scenarios).join(", ") || "none"}`,
    );
  }
  return rules.weather.filter((box) => chosen.includes(box.name));
}

/** Each flight's cells; flights on the same route with the same duration share one track. */
function trackFlights(day: ScheduledDay): FlownCells[] {
  const known = new Map<string, FlownCells>();
  return day.flights.map((flight) => {
    const from = placeOf(day, flight.origin);
    const to = placeOf(day, flight.destination);
    const minutes =
      flight.arrivalMinute === undefined
        ? flightMinutes(from, to, day.rules.track)
        : Math.round(flight.arrivalMinute - flight.departureMinute);
    const key = `${flight.origin} ${flight.destination} ${minutes}`;
    let track = known.get(key);
    if (track === undefined) {
      track = flownCells(from, to, minutes, day.rules.cellResolution);
      known.set(key, track);
    }
    return track;
  });
}

/** Cells in the order flights first enter them, then the busiest arrival airports (ties: by code). */
function volumesOf(
  tracks: readonly FlownCells[],
  flights: readonly ScheduledFlight[],
  day: ScheduledDay,
): RuledVolume[] {
  const cells = new Set(tracks.flatMap((track) => track.cells));
  const arrivals = new Map<string, number>();
  for (const { destination } of flights) arrivals.set(destination, (arrivals.get(destination) ?? 0) + 1);
  const busiest = [...arrivals]
    .sort(([codeA, a], [codeB, b]) => b - a || (codeA < codeB ? -1 : 1))
    .slice(0, day.rules.arrivalVolumes);
  return [
    ...[...cells].map((id): RuledVolume => {
      const [latitude, longitude] = cellToLatLng(id);
      return { id, latitude, longitude, arrivals: false };
    }),
    ...busiest.map(([code]): RuledVolume => ({ id: `ARR:${code}`, ...placeOf(day, code), arrivals: true })),
  ];
}

function placeOf(day: ScheduledDay, code: string): Place {
  const place = day.airports.get(code);
  if (place === undefined) throw new UsageError(`${day.name}: unknown airport "${code}"`);
  return place;
}
