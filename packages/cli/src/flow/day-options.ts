import { defaultWeights } from "@coppice/airspace/settings";
import { type Command, Option } from "commander";

/** Gives a command the options that say which day it is about. */
export function withDay(command: Command): Command {
  return command
    .option(
      "--instance <file>",
      "instance file, or reference numbers (.json); by default the day that ships with coppice",
    )
    .option(
      "--flows <what>",
      "group flights by origin, destination, pair, airline or route, as the published planner does (discover), or as a file lists them (default: by areas of origin)",
    )
    .addOption(
      new Option("--scenario <name>", "weather of the day that ships with coppice").choices(["storm", "clear"]),
    );
}

/** Gives a command the options that set the prices of the network objective. */
export function withPrices(command: Command): Command {
  return command
    .option("--lambda <price>", `price of a minute of delay (default: ${defaultWeights.delayMinute})`)
    .option("--mu <price>", `price of a line of the plan (default: ${defaultWeights.regulation})`)
    .option("--weights <file>", "prices as JSON; see docs/flow.md for the table");
}

/** Gives a command the choice between the network's model and the published planner's. */
export function withSemantics(command: Command, description: string): Command {
  return command.addOption(
    new Option("--semantics <preset>", description).choices(["corrected", "reference"]).default("corrected"),
  );
}
