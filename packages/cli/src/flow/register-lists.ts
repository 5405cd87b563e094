import type { DayChoice } from "@coppice/airspace";
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
    .option("--top <n>", "rows to print", wholeNumber({ least: 1, most: 1_000_000 }), 20)
    .option("--json", "print data instead of text");
}

/** Gives the command `volumes` its options. */
export function registerVolumes(command: Command): void {
  withList(command)
    .description("list the volumes of a day, busiest first: what they are called, their capacity and busiest hour")
    .action(async ({ top, json, ...day }: ListFlags) => {
      const airspace = await import("@coppice/airspace/answers");
      const volumes = airspace.volumesJson(airspace.openDay(day));
      printAnswer(json, volumes, () => airspace.volumesText(volumes, top));
    });
}

/** Gives the command `flows` its options. */
export function registerFlows(command: Command): void {
  withList(command)
    .description("list the flows of a volume: who belongs to each, and how many flights they are")
    .option("--volume <id>", "only the flows of this volume")
    .action(async ({ top, json, volume, ...day }: ListFlags & { readonly volume?: string }) => {
      const airspace = await import("@coppice/airspace/answers");
      const flows = airspace.flowsJson(airspace.openDay(day), volume);
      printAnswer(json, flows, () => airspace.flowsText(flows, top));
    });
}
