import { defaultDayRules, readDayRules } from "./day-rules.ts";
import { encodeInstance } from "../instance/artifact.ts";
import type { Instance } from "../instance/instance.ts";
import { importGolden, importPublished } from "./published.ts";
import { importScheduledDay } from "./scheduled-day.ts";
import { readAirports, readFlightTable } from "./flight-table.ts";
import { readCapacityGeoJson, readCapacityTable } from "./capacity-file.ts";
import { US_DAY, usDay } from "../instance/us-day.ts";
import { readInput } from "./input-text.ts";
import { writeAtomically } from "@coppice/engine/files";
import { UsageError } from "@coppice/engine/usage-error";

/** Where a day comes from: exactly one of `golden`, `occupancy`, `flights` and `day`. */
export interface ImportFlags {
  readonly out: string;
  readonly name?: string;
  readonly golden?: string;
  readonly occupancy?: string;
  readonly indexer?: string;
  readonly capacity?: string;
  readonly flights?: string;
  readonly airports?: string;
  readonly rules?: string;
  readonly day?: string;
  readonly scenario?: string;
  readonly json?: boolean;
}

/** Builds the instance, writes it in one step, and says what it holds. */
export function importDay(flags: ImportFlags): object {
  const instance = readDay(flags);
  const bytes = encodeInstance(instance);
  try {
    writeAtomically(flags.out, bytes);
  } catch (error) {
    throw new UsageError(`--out ${flags.out}: cannot be written (${error instanceof Error ? error.message : error})`);
  }
  const unlimited = instance.capacity.reduce(
    (count, flights) => (flights === Number.POSITIVE_INFINITY ? count + 1 : count),
    0,
  );
  return {
    file: flags.out,
    name: instance.name,
    start: instance.start,
    binMinutes: instance.binMinutes,
    flights: instance.flightIds.length,
    volumes: instance.volumeIds.length,
    visits: instance.visitVolume.length,
    binsWithoutLimit: unlimited,
    bins: instance.capacity.length,
    bytes: bytes.length,
  };
}

function readDay(flags: ImportFlags): Instance {
  const sources = (["golden", "occupancy", "flights", "day"] as const).filter((name) => flags[name] !== undefined);
  if (sources.length !== 1) {
    throw new UsageError(
      `give one of --flights, --occupancy, --golden and --day to import from, not ${sources.length}`,
    );
  }
  const { golden, occupancy, flights } = flags;
  if (golden !== undefined) return importGolden(readInput("--golden", golden));
  if (occupancy !== undefined) {
    return importPublished({
      name: flags.name ?? occupancy,
      occupancy: readInput("--occupancy", occupancy),
      indexer: readInput("--indexer", needed(flags, "indexer", "--occupancy")),
      capacity: readCapacityGeoJson(readInput("--capacity", needed(flags, "capacity", "--occupancy"))),
    });
  }
  if (flights !== undefined) return readSchedule(flags, flights);
  if (flags.day !== US_DAY) throw new UsageError(`--day ${flags.day}: the day that ships with coppice is ${US_DAY}`);
  const scenario = flags.scenario ?? "storm";
  if (scenario !== "storm" && scenario !== "clear") {
    throw new UsageError(`--scenario ${scenario}: ${US_DAY} has the scenarios storm and clear`);
  }
  return usDay(scenario);
}

function readSchedule(flags: ImportFlags, flights: string): Instance {
  const airports = readAirports(readInput("--airports", needed(flags, "airports", "--flights")));
  const { capacity } = flags;
  const file = capacity === undefined ? undefined : readInput("--capacity", capacity);
  const hours = file && (/\.csv(\.gz)?$/.test(file.source) ? readCapacityTable(file) : readCapacityGeoJson(file));
  return importScheduledDay({
    name: flags.name ?? flights,
    flights: readFlightTable(readInput("--flights", flights), airports),
    airports,
    rules: flags.rules === undefined ? defaultDayRules : readDayRules(readInput("--rules", flags.rules)),
    ...(flags.scenario === undefined ? {} : { scenario: flags.scenario }),
    ...(hours === undefined ? {} : { capacity: hours }),
  });
}

function needed(flags: ImportFlags, name: "indexer" | "capacity" | "airports", by: string): string {
  const value = flags[name];
  if (value === undefined) throw new UsageError(`${by} needs --${name}`);
  return value;
}
