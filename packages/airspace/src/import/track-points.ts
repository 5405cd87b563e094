import { readCsvTable } from "@coppice/engine/files";
import { LONGEST_FLIGHT_MINUTES, type ScheduledFlight } from "./flight-table.ts";
import { type InputText, utcMilliseconds } from "./input-text.ts";
import { type Position, type Track, throughPoints } from "./track.ts";

/**
 * Reads `flight,time,latitude,longitude[,altitude]` (UTC times, feet): the flights' own tracks, each point later than the
 * one before it. Where a point has no altitude the flight is at `cruiseFeet`.
 */
export function readTrackPoints(
  file: InputText,
  flights: readonly ScheduledFlight[],
  cruiseFeet: number,
): Map<string, Track> {
  const departures = new Map(flights.map(({ id, departureMinute }) => [id, departureMinute]));
  const points = new Map<string, (Position & { readonly minute: number })[]>();
  for (const row of readCsvTable(file.source, file.text, ["flight", "time", "latitude", "longitude"])) {
    const id = row.text("flight");
    const departure = departures.get(id);
    if (departure === undefined) throw row.wrong(`unknown flight "${id}"; the flight table has no such id`);
    const number = (column: string, least: number, most: number): number => {
      const text = row.text(column);
      const value = text === "" ? Number.NaN : Number(text);
      if (!(value >= least && value <= most))
        throw row.wrong(`${column} "${text}" is not a number from ${least} to ${most}`);
      return value;
    };
    const time = utcMilliseconds(row.text("time"));
    if (Number.isNaN(time)) throw row.wrong(`time "${row.text("time")}" is not a time like 2001-06-29T08:00Z`);
    const minute = time / 60_000 - departure;
    const earlier = points.get(id) ?? [];
    const last = earlier.at(-1)?.minute ?? 0;
    if (minute > LONGEST_FLIGHT_MINUTES) throw row.wrong(`flight ${id} is here more than a day after it departs`);
    if (minute < 0) throw row.wrong(`flight ${id} is somewhere before it departs`);
    if (earlier.length > 0 && minute <= last) throw row.wrong(`time of ${id} is not after that of its point before`);
    earlier.push({
      latitude: number("latitude", -90, 90),
      longitude: number("longitude", -180, 180),
      feet: row.text("altitude") === "" ? cruiseFeet : number("altitude", -2000, 100_000),
      minute,
    });
    points.set(id, earlier);
  }
  return new Map(
    [...points].map(([id, own]) => [
      id,
      throughPoints(own.length === 1 ? [...own, { ...own[0], minute: own[0].minute + 1 }] : own),
    ]),
  );
}
