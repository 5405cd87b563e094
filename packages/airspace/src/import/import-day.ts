import { basename, resolve } from "node:path";
import { isFolder, unwritable, writeDurably } from "@coppice/engine/files";
import { UsageError } from "@coppice/engine/usage-error";
import { encodeInstance } from "../instance/artifact.ts";
import { capacityOrigin } from "../instance/capacity-origin.ts";
import type { Instance } from "../instance/instance.ts";
import { US_DAY, usDay } from "../instance/us-day.ts";
import { readCapacityGeoJson, readCapacityTable } from "./capacity-file.ts";
import { ruleText } from "./capacity-rule.ts";
import { type DayRules, defaultDayRules, readDayRules } from "./day-rules.ts";
import { readAirports, readFlightTable } from "./flight-table.ts";
import { oneLine, readInput } from "./input-text.ts";
import { importGolden, importPublished } from "./published-artifacts.ts";
import { importScheduledDay } from "./scheduled-day.ts";
import { readSectors } from "./sectors.ts";
import { readTrackPoints } from "./track-points.ts";

/** Where a day comes from: exactly one of `golden`, `occupancy`, `flights` and `day`. */
export interface ImportChoice {
  readonly out: string;
  readonly name?: string;
  readonly golden?: string;
  readonly occupancy?: string;
  readonly indexer?: string;
  readonly capacity?: string;
  readonly flights?: string;
  readonly airports?: string;
  readonly points?: string;
  readonly sectors?: string;
  readonly rules?: string;
  readonly day?: string;
  readonly scenario?: string;
}

/** Builds the instance, writes it in one step, and says what it holds. */
export function importDay(choice: ImportChoice) {
  const { out, ...inputs } = choice;
  const input = Object.entries(inputs).find(([, path]) => typeof path === "string" && resolve(path) === resolve(out));
  if (input !== undefined)
    throw new UsageError(`--out ${out}: it is what --${input[0]} reads; choose a different file`);
  if (choice.name !== undefined && !oneLine.safeParse(choice.name).success) {
    throw new UsageError(`--name ${JSON.stringify(choice.name)}: a name is one line of text`);
  }
  if (isFolder(out)) throw new UsageError(`--out ${out}: it is a folder; it must be the name of a file`);
  const instance = readDay(choice);
  const outside = instance.takeoffSecond.reduce((n, second) => (second < 0 || second >= 86_400 ? n + 1 : n), 0);
  if (outside === instance.flightIds.length) {
    throw new UsageError(
      `${instance.name}: no flight departs in the day, which starts at ${instance.start}; see "start" in the rules`,
    );
  }
  const bytes = encodeInstance(instance);
  try {
    writeDurably(choice.out, bytes);
  } catch (error) {
    throw new UsageError(`--out ${choice.out}: cannot be written (${unwritable(error)})`);
  }
  const unlimited = instance.capacity.reduce(
    (count, flights) => (flights === Number.POSITIVE_INFINITY ? count + 1 : count),
    0,
  );
  const entered = new Set(instance.visitVolume);
  const empty = instance.volumeIds.filter((_, volume) => !entered.has(volume));
  return {
    notices: importNotices(outside, empty, instance.volumeIds.length),
    file: choice.out,
    name: instance.name,
    start: instance.start,
    binMinutes: instance.binMinutes,
    flights: instance.flightIds.length,
    departuresOutsideDay: outside,
    volumes: instance.volumeIds.length,
    volumesWithoutEntries: empty.length,
    visits: instance.visitVolume.length,
    capacityFrom: capacityOrigin(instance),
    binsWithoutLimit: unlimited,
    bins: instance.capacity.length,
    bytes: bytes.length,
  };
}

/** What whoever imports should look at: it can be right, and often is not. */
function importNotices(outside: number, empty: readonly string[], volumes: number): string[] {
  const few = empty.slice(0, 3).join(", ") + (empty.length > 3 ? ", …" : "");
  return [
    ...(outside === 0
      ? []
      : [
          `${outside} ${outside === 1 ? "flight departs" : "flights depart"} outside the day; only entries within it count`,
        ]),
    ...(empty.length === 0
      ? []
      : [
          `no flight enters ${empty.length} of ${volumes} volumes (${few}); if that is wrong, look at their outlines (longitude comes before latitude), floors and ceilings`,
        ]),
  ];
}

function readDay(choice: ImportChoice): Instance {
  const sources = (["golden", "occupancy", "flights", "day"] as const).filter((name) => choice[name] !== undefined);
  if (sources.length !== 1) {
    throw new UsageError(
      `give one of --flights, --occupancy, --golden and --day to import from, not ${sources.length}`,
    );
  }
  const { golden, occupancy, flights } = choice;
  if (golden !== undefined) return from(importGolden(readInput("--golden", golden)), PUBLISHED);
  if (occupancy !== undefined) {
    const day = importPublished({
      name: choice.name ?? occupancy,
      occupancy: readInput("--occupancy", occupancy),
      indexer: readInput("--indexer", needed(choice, "indexer", "--occupancy")),
      capacity: readCapacityGeoJson(readInput("--capacity", needed(choice, "capacity", "--occupancy"))),
    });
    return from(day, PUBLISHED);
  }
  if (flights !== undefined) return readSchedule(choice, flights);
  if (choice.day !== US_DAY) throw new UsageError(`--day ${choice.day}: the day that ships with coppice is ${US_DAY}`);
  const scenario = choice.scenario ?? "storm";
  if (scenario !== "storm" && scenario !== "clear") {
    throw new UsageError(`--scenario ${scenario}: ${US_DAY} has the scenarios storm and clear`);
  }
  return usDay(scenario);
}

/** What the instance file says of them: no paths, which differ from place to place. */
const PUBLISHED = "given by the published planner's files";

/** The day, which remembers where its capacities come from. */
function from(day: Instance, capacityFrom: string): Instance {
  return { ...day, capacityFrom };
}

function readSchedule(choice: ImportChoice, table: string): Instance {
  const { points, capacity, scenario } = choice;
  const placed = points === undefined ? needed(choice, "airports", "--flights without --points") : choice.airports;
  const airports = placed === undefined ? undefined : readAirports(readInput("--airports", placed));
  const flights = readFlightTable(readInput("--flights", table), airports);
  if (flights.length === 0) throw new UsageError(`${table}: no flights; the table has only its header`);
  const rules = choice.rules === undefined ? defaultDayRules : readDayRules(readInput("--rules", choice.rules));
  const sectors = choice.sectors === undefined ? undefined : readSectors(readInput("--sectors", choice.sectors));
  const file = capacity === undefined ? undefined : readInput("--capacity", capacity);
  const given = file && (/\.csv(\.gz)?$/.test(file.source) ? readCapacityTable(file) : readCapacityGeoJson(file));
  const hours = given ?? sectors?.capacity;
  checkScenario(choice, rules);
  const day = importScheduledDay({
    name: choice.name ?? table,
    flights,
    airports: airports ?? new Map(),
    rules,
    ...(points === undefined
      ? {}
      : { tracks: readTrackPoints(readInput("--points", points), flights, rules.track.cruiseFeet) }),
    ...(sectors === undefined ? {} : { sectors: sectors.sectors }),
    ...(scenario === undefined ? {} : { scenario }),
    ...(hours === undefined ? {} : { capacity: hours }),
  });
  const told =
    hours === undefined
      ? `derived, because no file gives them: ${ruleText(rules)} (${choice.rules === undefined ? "the usual rule" : basename(choice.rules)})`
      : `given in ${basename(hours.source)} for ${hours.hours.size} of ${day.volumeIds.length} volumes`;
  const weather = rules.weather.filter(
    ({ name }) => scenario === undefined || rules.scenarios[scenario]?.includes(name),
  );
  return from(
    day,
    weather.length === 0 ? told : `${told}; less in weather: ${weather.map(({ name }) => name).join(", ")}`,
  );
}

function checkScenario({ scenario, rules: file }: ImportChoice, { scenarios }: DayRules): void {
  if (scenario === undefined || Object.hasOwn(scenarios, scenario)) return;
  if (file === undefined) throw new UsageError(`--scenario ${scenario}: needs --rules, a file that has scenarios`);
  const names = Object.keys(scenarios).join(", ");
  throw new UsageError(
    `--scenario ${scenario}: ${file} has ${names === "" ? "no scenarios" : `the scenarios ${names}`}`,
  );
}

function needed(choice: ImportChoice, name: "indexer" | "capacity" | "airports", by: string): string {
  const value = choice[name];
  if (value === undefined) throw new UsageError(`${by} needs --${name}`);
  return value;
}
