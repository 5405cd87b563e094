import { defaultWeights } from "@coppice/airspace";
import type { Command } from "commander";

/** Gives a command the options that set the prices of the network objective. */
export function withWeights(command: Command): Command {
  return command
    .option("--lambda <price>", `price of a minute of delay (default: ${defaultWeights.delayMinute})`)
    .option("--mu <price>", `price of a line of the plan (default: ${defaultWeights.regulation})`)
    .option("--weights <file>", "prices as JSON; see docs/flow.md for the table");
}
