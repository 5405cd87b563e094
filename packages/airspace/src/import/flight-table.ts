import { type CsvRow, readCsvTable } from "@coppice/engine/files";
import { type InputText, oneLine, utcMilliseconds } from "./input-text.ts";
import type { Place } from "./track.ts";

/** A row of a flight table; times in minutes since the epoch, UTC. */
export interface ScheduledFlight {
  readonly id: string;
  readonly origin: string;
  readonly destination: string;
  readonly departureMinute: number;
  /** Absent where the table does not say. */
  readonly arrivalMinute: number | undefined;
  readonly airline?: string;
  readonly route?: string;
}

export const LONGEST_FLIGHT_MINUTES = 1440;

/** Reads `flight,origin,destination,departure[,arrival][,airline][,route]`; times are ISO, UTC unless they carry an offset. */
export function readFlightTable(file: InputText, airports: ReadonlyMap<string, Place> | undefined): ScheduledFlight[] {
  const lineOf = new Map<string, number>();
  return readCsvTable(file.source, file.text, ["flight", "origin", "destination", "departure"]).map((row) => {
    const id = row.text("flight");
    if (id === "") throw row.wrong("no flight id");
    for (const column of ["flight", "origin", "destination", "airline", "route"]) onOneLine(row, column);
    const earlier = lineOf.get(id);
    if (earlier !== undefined)
      throw row.wrong(`flight ${id} is in line ${earlier} too; every flight needs an id of its own`);
    lineOf.set(id, row.line);
    const origin = row.text("origin");
    const destination = row.text("destination");
    for (const code of [origin, destination]) {
      if (airports?.has(code) === false)
        throw row.wrong(`unknown airport "${code}"; the airport table has no such code`);
    }
    const departureMinute = utcMinute(row, "departure");
    const arrivalMinute = row.text("arrival") === "" ? undefined : utcMinute(row, "arrival");
    if (arrivalMinute !== undefined && arrivalMinute <= departureMinute) {
      throw row.wrong(
        `flight ${id} arrives at ${row.text("arrival")}, not after it departs at ${row.text("departure")}`,
      );
    }
    if (arrivalMinute !== undefined && arrivalMinute - departureMinute > LONGEST_FLIGHT_MINUTES) {
      throw row.wrong(
        `flight ${id} arrives at ${row.text("arrival")}, more than a day after it departs at ${row.text("departure")}`,
      );
    }
    const [airline, route] = [row.text("airline"), row.text("route")];
    return {
      id,
      origin,
      destination,
      departureMinute,
      arrivalMinute,
      ...(airline === "" ? {} : { airline }),
      ...(route === "" ? {} : { route }),
    };
  });
}

/** An airport: where it is, the city people know it by, and its time zone. */
export interface Airport extends Place {
  readonly city?: string;
  readonly zone?: string;
}

/** Reads `airport,latitude,longitude[,city][,zone]`. */
export function readAirports(file: InputText): Map<string, Airport> {
  const airports = new Map<string, Airport>();
  for (const row of readCsvTable(file.source, file.text, ["airport", "latitude", "longitude"])) {
    const airport = row.text("airport");
    for (const column of ["airport", "city"]) onOneLine(row, column);
    if (airports.has(airport)) throw row.wrong(`airport ${airport} again`);
    const degrees = (name: "latitude" | "longitude", limit: number): number => {
      const text = row.text(name);
      const value = text === "" ? Number.NaN : Number(text);
      if (!(Math.abs(value) <= limit)) throw row.wrong(`${name} "${text}" is not a number from ${-limit} to ${limit}`);
      return value;
    };
    const place = { latitude: degrees("latitude", 90), longitude: degrees("longitude", 180) };
    const [city, zone] = [row.text("city"), row.text("zone")];
    if (zone !== "" && !isZone(zone)) throw row.wrong(`zone "${zone}" is not a time zone like America/New_York`);
    airports.set(airport, { ...place, ...(city === "" ? {} : { city }), ...(zone === "" ? {} : { zone }) });
  }
  return airports;
}

/** Names are printed in tables and messages of one line. */
function onOneLine(row: CsvRow, column: string): void {
  const text = row.text(column);
  if (text !== "" && !oneLine.safeParse(text).success) {
    throw row.wrong(`${column} ${JSON.stringify(text)} must not have line breaks or other control characters`);
  }
}

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }) !== undefined;
  } catch {
    return false;
  }
}

function utcMinute(row: CsvRow, column: string): number {
  const time = row.text(column);
  const milliseconds = utcMilliseconds(time);
  if (Number.isNaN(milliseconds)) throw row.wrong(`${column} "${time}" is not a time like 2001-06-29T08:00Z`);
  return milliseconds / 60_000;
}
