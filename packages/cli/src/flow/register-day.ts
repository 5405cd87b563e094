import type { DayChoice, ImportChoice } from "@coppice/airspace";
import type { Command } from "commander";
import { wholeNumber } from "../options/arguments.ts";
import { printAnswer } from "../print.ts";
import { withDay } from "./day-options.ts";

interface ListFlags extends DayChoice {
  readonly top: number;
  readonly json?: boolean;
}

function withList(command: Command): Command {
  return withDay(command)
    .option("--top <n>", "rows to print", wholeNumber(1, 1_000_000), 20)
    .option("--json", "print data instead of text");
}

/** Gives the command `volumes` its options. */
export function registerVolumes(command: Command): void {
  withList(command)
    .description("list the volumes of a day, busiest first: their names, capacity and busiest hour")
    .action(async ({ top, json, ...day }: ListFlags) => {
      const airspace = await import("@coppice/airspace/answers");
      const volumes = airspace.volumesJson(airspace.openDay(day));
      printAnswer(json, volumes, () => airspace.volumesText(volumes, top));
    });
}

/** Gives the command `flows` its options. */
export function registerFlows(command: Command): void {
  withList(command)
    .description("list the flows of a volume: which flights belong to each, and how many")
    .option("--volume <id>", "only the flows of this volume")
    .action(async ({ top, json, volume, ...day }: ListFlags & { readonly volume?: string }) => {
      const airspace = await import("@coppice/airspace/answers");
      const flows = airspace.flowsJson(airspace.openDay(day), volume);
      printAnswer(json, flows, () => airspace.flowsText(flows, top));
    });
}

/** Gives the command `import` its options. */
export function registerImport(command: Command): void {
  command
    .description("build an instance file from a flight table, or from the published planner's artifacts")
    .requiredOption("-o, --out <file>", "instance file to write")
    .option("--name <name>", "name of the day")
    .option("--flights <csv>", "flight,origin,destination,departure[,arrival][,airline][,route] (.gz is unpacked)")
    .option("--airports <csv>", "airport,latitude,longitude[,city][,zone]")
    .option("--points <csv>", "tracks of the flights: flight,time,latitude,longitude[,altitude]")
    .option(
      "--sectors <geojson>",
      "volumes as polygons with id, name, floor, ceiling and capacity; H3 cells if not given",
    )
    .option("--rules <json>", "bins, cells, capacity rule, weather and scenarios; see docs/flow-files.md")
    .option("--scenario <name>", "a scenario of the rules, or of the day that ships with coppice")
    .option("--occupancy <json>", "the published planner's occupancy of flights")
    .option("--indexer <json>", "its time bins and volume rows")
    .option("--capacity <file>", "capacity GeoJSON, or a table volume,hour,capacity (.csv)")
    .option("--golden <json>", "a file of reference numbers")
    .option("--day <name>", "the day that ships with coppice")
    .option("--json", "print data instead of text")
    .action(async ({ json, ...choice }: ImportChoice & { readonly json?: boolean }) => {
      const { importDay } = await import("@coppice/airspace");
      const { notices, ...summary } = importDay(choice);
      const words = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
      const lines = Object.entries(summary).map(([name, value]) => `${words(name).padEnd(24)}${value}\n`);
      printAnswer(json, summary, () => lines.join(""), notices);
    });
}
