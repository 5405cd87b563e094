import type { DayChoice } from "@coppice/airspace";
import type { PriceChoice } from "@coppice/airspace/answers";
import type { Command } from "commander";
import { printAnswer, printJson } from "../print.ts";
import { withDay, withPrices, withSemantics } from "./day-options.ts";

interface ScoreFlags extends DayChoice, PriceChoice {
  readonly plan: string;
  readonly discovery?: string;
  readonly semantics: "corrected" | "reference";
  readonly json?: boolean;
}

/** Gives the command `score` its options. */
export function registerScore(command: Command): void {
  withPrices(withDay(command))
    .description("print what a plan costs: the whole network, and each regulation where it applies")
    .requiredOption("--plan <file>", "plan (JSON); with reference semantics also a score case or reference numbers");
  withSemantics(command, "the network's model, or the published planner's number for number")
    .option("--discovery <file>", "file with the discovery_config that published plans were made with")
    .option("--json", "print data instead of text")
    .action(async (flags: ScoreFlags) => {
      const airspace = await import("@coppice/airspace/answers");
      const instance = airspace.openDay(flags);
      if (flags.semantics === "reference") {
        printJson(airspace.scorePublishedFile(instance, flags.plan, flags));
        return;
      }
      const { plan, weights, notices } = airspace.chosenPlan("--plan", flags.plan, instance, flags);
      const score = airspace.scoreJson(instance, plan, weights);
      printAnswer(flags.json, score, () => airspace.scoreText(score, instance), notices);
    });
}
