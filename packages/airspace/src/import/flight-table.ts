import { UsageError } from "@coppice/engine/usage-error";
import { readTable } from "./csv.ts";
import type { Place } from "./great-circle.ts";
import type { InputText } from "./published.ts";

/** A row of a flight table; times in minutes since the epoch, UTC. */
export interface ScheduledFlight {
  readonly id: string;
  readonly origin: string;
  readonly destination: string;
  readonly departureMinute: number;
  /** Absent where the table does not say. */
  readonly arrivalMinute: number | undefined;
}

/** Reads `flight,origin,destination,departure[,arrival]`; times are ISO, UTC unless they carry an offset. */
export function readFlightTable(file: InputText, airports: ReadonlyMap<string, Place>): ScheduledFlight[] {
  const lineOf = new Map<string, number>();
  const rows = readTable(file, ["flight", "origin", "destination", "departure"], ["arrival"]);
  return rows.map(({ line, fields }) => {
    const where = `${file.source}:${line}`;
    if (fields.flight === "") throw new UsageError(`${where}: no flight id`);
    const earlier = lineOf.get(fields.flight);
    if (earlier !== undefined) {
      throw new UsageError(`${where}: flight ${fields.flight} again (first in line ${earlier}); ids must differ`);
    }
    lineOf.set(fields.flight, line);
    for (const code of [fields.origin, fields.destination]) {
      if (!airports.has(code))
        throw new UsageError(`${where}: unknown airport "${code}"; the airport table has no such code`);
    }
    const departureMinute = utcMinute(fields.departure, `${where}: departure`);
    const arrivalMinute = fields.arrival === "" ? undefined : utcMinute(fields.arrival, `${where}: arrival`);
    if (arrivalMinute !== undefined && arrivalMinute <= departureMinute) {
      throw new UsageError(
        `${where}: flight ${fields.flight} arrives at ${fields.arrival}, not after it departs at ${fields.departure}`,
      );
    }
    return {
      id: fields.flight,
      origin: fields.origin,
      destination: fields.destination,
      departureMinute,
      arrivalMinute,
    };
  });
}

/** Reads `airport,latitude,longitude`. */
export function readAirports(file: InputText): Map<string, Place> {
  const airports = new Map<string, Place>();
  for (const { line, fields } of readTable(file, ["airport", "latitude", "longitude"])) {
    const where = `${file.source}:${line}`;
    if (airports.has(fields.airport)) throw new UsageError(`${where}: airport ${fields.airport} again`);
    const degrees = (name: "latitude" | "longitude", limit: number): number => {
      const value = fields[name] === "" ? Number.NaN : Number(fields[name]);
      if (!(Math.abs(value) <= limit))
        throw new UsageError(`${where}: ${name} "${fields[name]}" is not a number from ${-limit} to ${limit}`);
      return value;
    };
    airports.set(fields.airport, { latitude: degrees("latitude", 90), longitude: degrees("longitude", 180) });
  }
  return airports;
}

function utcMinute(time: string, where: string): number {
  const shape = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/.exec(time);
  const milliseconds =
    shape === null ? Number.NaN : Date.parse(`${time.replace(" ", "T")}${shape[3] === undefined ? "Z" : ""}`);
  if (Number.isNaN(milliseconds)) throw new UsageError(`${where} "${time}" is not a time like 2001-06-29T08:00Z`);
  return milliseconds / 60_000;
}
