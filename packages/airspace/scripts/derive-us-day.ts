/**
 * Derives data/us-2001-06-29/{flights.csv.gz,airports.csv} from the npm package vega-datasets 3.2.1, which is too large
 * to be a dependency of every clone. Run it from the project's root:
 *
 *   npm install --no-save --prefix "$TMPDIR/vega" vega-datasets@3.2.1
 *   node packages/airspace/scripts/derive-us-day.ts "$TMPDIR/vega/node_modules/vega-datasets"
 *
 * The source gives local departure times. The zone is that of the origin airport; its offset is looked up at that
 * instant. Kept are departures in the 24 hours from 2001-06-29T08:00Z, sorted by (minute, origin, destination).
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import findZone from "@photostructure/tz-lookup";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";

const START = Date.UTC(2001, 5, 29, 8);
const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;
const FIRST_LOCAL_DAY = Date.UTC(2001, 5, 28);
const AFTER_LAST_LOCAL_DAY = Date.UTC(2001, 6, 1);

interface Airport {
  readonly latitude: string;
  readonly longitude: string;
  readonly city: string;
  readonly zone: string;
}

/** Making one is slow; there are 18 zones. */
const formatters = new Map<string, Intl.DateTimeFormat>();

const source = process.argv[2];
if (source === undefined) {
  console.error("derive-us-day: give the folder of the npm package vega-datasets 3.2.1 (see the top of this script)");
  process.exit(2);
}
const { version } = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
if (version !== "3.2.1") {
  console.error(`derive-us-day: vega-datasets is ${version}; the recipe is for 3.2.1`);
  process.exit(2);
}

const airports = readAirports(join(source, "data", "airports.csv"));
const rows = await readLocalDays(join(source, "data", "flights-3m.parquet"));
const flights = rows
  .map(({ localMs, origin, destination }) => ({
    origin,
    destination,
    minute: (toUtc(localMs, zoneOf(origin)) - START) / MINUTE_MS,
  }))
  .filter(({ minute }) => minute >= 0 && minute < DAY_MINUTES)
  .sort((a, b) => a.minute - b.minute || compare(a.origin, b.origin) || compare(a.destination, b.destination));

const out = join(import.meta.dirname, "..", "data", "us-2001-06-29");
mkdirSync(out, { recursive: true });
writeFileSync(join(out, "flights.csv.gz"), gzipSync(flightTable(), { level: 9 }));
writeFileSync(join(out, "airports.csv"), airportTable());
console.log(`${flights.length} flights of ${rows.length} rows of three local days`);

function flightTable(): string {
  const seen = new Map<string, number>();
  const lines = flights.map(({ origin, destination, minute }) => {
    const departure = new Date(START + minute * MINUTE_MS).toISOString().slice(0, 16);
    const name = `${origin}${destination}${departure.slice(11).replace(":", "")}`;
    const repeat = (seen.get(name) ?? 0) + 1;
    seen.set(name, repeat);
    return `${repeat === 1 ? name : `${name}.${repeat}`},${origin},${destination},${departure}Z`;
  });
  return `flight,origin,destination,departure\n${lines.join("\n")}\n`;
}

function airportTable(): string {
  const used = new Set(flights.flatMap(({ origin, destination }) => [origin, destination]));
  const lines = [...used].sort(compare).map((code) => {
    const airport = airports.get(code);
    if (airport === undefined) throw new Error(`airports.csv has no ${code}`);
    return `${code},${airport.latitude},${airport.longitude},${airport.city},${airport.zone}`;
  });
  return `airport,latitude,longitude,city,zone\n${lines.join("\n")}\n`;
}

/** The file's columns are iata,name,city,state,country,latitude,longitude; names may be quoted and contain commas. */
function readAirports(path: string): Map<string, Airport> {
  const found = new Map<string, Airport>();
  for (const line of readFileSync(path, "utf8").split(/\r?\n/).slice(1)) {
    if (line === "") continue;
    const fields = line.split(",");
    const [city, , , latitude, longitude] = fields.slice(-5);
    found.set(fields[0], {
      latitude,
      longitude,
      city: city === "NA" ? "" : city,
      zone: findZone(Number(latitude), Number(longitude)),
    });
  }
  return found;
}

function zoneOf(origin: string): string {
  const airport = airports.get(origin);
  if (airport === undefined) throw new Error(`airports.csv has no ${origin}`);
  return airport.zone;
}

async function readLocalDays(path: string): Promise<{ localMs: number; origin: string; destination: string }[]> {
  const file = await asyncBufferFromFile(path);
  const all = await parquetReadObjects({ file, compressors, columns: ["date", "origin", "destination"] });
  return all
    .map(({ date, origin, destination }) => ({ localMs: date.getTime(), origin, destination }))
    .filter(({ localMs }) => localMs >= FIRST_LOCAL_DAY && localMs < AFTER_LAST_LOCAL_DAY);
}

/** UTC of a local wall-clock time: two passes, because the offset depends on the instant looked for. */
function toUtc(localMs: number, zone: string): number {
  const first = localMs - offsetMs(zone, localMs);
  return localMs - offsetMs(zone, first);
}

function offsetMs(zone: string, instant: number): number {
  const parts = Object.fromEntries(
    formatter(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const local = Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute, parts.second);
  return local - Math.floor(instant / 1000) * 1000;
}

function formatter(zone: string): Intl.DateTimeFormat {
  let made = formatters.get(zone);
  if (made === undefined) {
    made = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    formatters.set(zone, made);
  }
  return made;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
