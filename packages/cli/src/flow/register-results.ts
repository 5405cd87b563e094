import type { DayChoice } from "@coppice/airspace";
import type { PriceChoice } from "@coppice/airspace/answers";
import type { Command } from "commander";
import { printAnswer } from "../print.ts";
import { withDay, withPrices } from "./day-options.ts";

interface ResultFlags extends DayChoice, PriceChoice {
  readonly plan: string;
  readonly json?: boolean;
}

function withPlan(command: Command): Command {
  return withPrices(withDay(command)).requiredOption("--plan <file>", "plan (JSON, CSV or GeoJSON)");
}

/** Gives the command `delays` its options. */
export function registerDelays(command: Command): void {
  withPlan(command)
    .description(
      "say who waits with a plan: a histogram, the most delayed flights, airlines and origins, and how evenly delay is shared",
    )
    .option("--json", "print data instead of text")
    .action(async (flags: ResultFlags) => {
      const airspace = await import("@coppice/airspace/answers");
      const instance = airspace.openDay(flags);
      const { plan, weights, notices } = airspace.chosenPlan("--plan", flags.plan, instance, flags);
      const delays = airspace.delaysJson(instance, plan, weights);
      printAnswer(flags.json, delays, () => airspace.delaysText(delays), notices);
    });
}

/** Gives the command `export` its options. */
export function registerExport(command: Command): void {
  withPlan(command)
    .description("write a plan, the delay of every flight, hotspots and loads as CSV and GeoJSON")
    .requiredOption("-o, --out <folder>", "folder to write into; created if it does not exist")
    .option("--force", "replace existing files", false)
    .option("--json", "print data instead of text")
    .action(async (flags: ResultFlags & { readonly out: string; readonly force: boolean }) => {
      const airspace = await import("@coppice/airspace/answers");
      const instance = airspace.openDay(flags);
      const { plan, weights, notices } = airspace.chosenPlan("--plan", flags.plan, instance, flags);
      const files = airspace.exportDay(flags.out, airspace.exportedFiles(instance, plan, weights), flags.force);
      printAnswer(flags.json, { files }, () => `${files.join("\n")}\n`, notices);
    });
}
