import type { Instance } from "@coppice/airspace";
import { type Command, Option } from "commander";
import { type WeightFlags, withWeights } from "./price-options.ts";

interface ScoreFlags extends WeightFlags {
  readonly plan: string;
  readonly instance?: string;
  readonly discovery?: string;
  readonly semantics: "corrected" | "reference";
  readonly json?: boolean;
}

/** Gives the command `score` its options; `openDay` opens the day that the rest of its options name. */
export function registerScore(command: Command, openDay: (flags: object) => Promise<Instance>): void {
  withWeights(command)
    .description("print what a plan costs: the whole network, and each regulation where it is")
    .requiredOption("--plan <file>", "plan (JSON); with reference semantics also a score case or reference numbers")
    .addOption(
      new Option("--semantics <preset>", "the network's model, or the published planner's number for number")
        .choices(["corrected", "reference"])
        .default("corrected"),
    )
    .option("--discovery <file>", "file with the discovery_config that published plans were made with")
    .option("--json", "print data instead of text")
    .action(async (flags: ScoreFlags) => {
      const { readInventoryOptions, readPlanFile, scorePublished } = await import("@coppice/airspace");
      const { inputText } = await import("../../../airspace/src/import/input-text.ts");
      const { chosenWeights } = await import("./price-options.ts");
      const { scoreJson, scoreText } = await import("../../../airspace/src/answers/score-answer.ts");
      const instance = await openDay(flags);
      const file = inputText("--plan", flags.plan);
      if (flags.semantics === "reference") {
        const numbers = flags.discovery ?? (flags.instance?.endsWith(".json") ? flags.instance : undefined);
        // Flows can be grouped by heading only where every volume has a place.
        const located = instance.volumeLatitude.every((latitude) => !Number.isNaN(latitude));
        const options = {
          ...(located ? {} : { direction: { mode: "none" } as const }),
          ...(numbers === undefined ? {} : readInventoryOptions(inputText("--discovery", numbers))),
        };
        process.stdout.write(`${JSON.stringify(scorePublished(instance, file, options), null, 2)}\n`);
        return;
      }
      const { plan, weights: ofPlan } = readPlanFile(file, instance);
      const score = scoreJson(instance, plan, chosenWeights(flags, ofPlan));
      process.stdout.write(flags.json ? `${JSON.stringify(score, null, 2)}\n` : scoreText(score));
    });
}
