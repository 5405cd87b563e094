import type { DayChoice } from "@coppice/airspace";
import type { PriceChoice } from "@coppice/airspace/answers";
import { UsageError } from "@coppice/engine/usage-error";
import type { Command } from "commander";
import { exitCode } from "../exit-code.ts";
import { printAnswer, printJson } from "../print.ts";
import { withDay, withPrices, withSemantics } from "./day-options.ts";

interface PlanFileFlags extends DayChoice, PriceChoice {
  readonly json?: boolean;
}

interface ValidateFlags extends DayChoice {
  readonly semantics: "corrected" | "reference";
  readonly log?: string;
  readonly discovery?: string;
  readonly json?: boolean;
}

/** Gives the command `validate` its options: exit code 0 if all is well, 1 for violations, 2 if the file has what cannot be a regulation of the day. */
export function registerValidate(command: Command): void {
  withDay(command)
    .description("check a plan: known volumes, windows and flows, positive rates, no duplicates")
    .argument("<plan>", "plan (JSON, CSV or GeoJSON)");
  withSemantics(command, "the network's model, or the published planner's, whose delays are checked too")
    .option("--log <file>", "run log of the published planner, for its delays (reference semantics)")
    .option("--discovery <file>", "file with the discovery_config that its plan was made with (reference semantics)")
    .option("--json", "print data instead of text")
    .action(async (path: string, flags: ValidateFlags) => {
      const airspace = await import("@coppice/airspace/answers");
      const { log, discovery, json } = flags;
      const reference = flags.semantics === "reference";
      if (log !== undefined && !reference) {
        throw new UsageError("--log without --semantics reference: only the published planner's delays come in steps");
      }
      if (discovery !== undefined && !reference) {
        throw new UsageError(
          "--discovery: needs --semantics reference; otherwise a volume's flows are those of the day (--flows)",
        );
      }
      const validation = airspace.validatePlan(path, airspace.openDay(flags), reference ? flags : undefined);
      printAnswer(json, validation, () => airspace.validationText(validation));
      if (!validation.ok) process.exitCode = validation.readable ? exitCode.failed : exitCode.usage;
    });
}

/** Gives the command `compare` its options. */
export function registerCompare(command: Command): void {
  withPrices(withDay(command))
    .description("put two plans side by side: what each costs, and where they differ")
    .argument("<a>", "plan (JSON, CSV or GeoJSON)")
    .argument("<b>", "plan (JSON, CSV or GeoJSON)")
    .option("--json", "print data instead of text")
    .action(async (a: string, b: string, flags: PlanFileFlags) => {
      const airspace = await import("@coppice/airspace/answers");
      const comparison = airspace.comparePlans(a, b, airspace.openDay(flags), flags);
      printAnswer(flags.json, comparison, () => airspace.comparisonText(comparison), comparison.notices);
    });
}

/** Gives the command `explain` its options. */
export function registerExplain(command: Command): void {
  withPrices(withDay(command))
    .description(
      "say for each regulation what it protects, whom it delays, what it is worth and what it pushes elsewhere",
    )
    .argument("<plan>", "plan (JSON, CSV or GeoJSON)")
    .option("--json", "print data instead of text")
    .action(async (path: string, flags: PlanFileFlags) => {
      const airspace = await import("@coppice/airspace/answers");
      const explanation = airspace.explainFile(path, airspace.openDay(flags), flags);
      printAnswer(flags.json, explanation, () => airspace.explanationText(explanation), explanation.notices);
    });
}

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
    .requiredOption(
      "--plan <file>",
      "plan (JSON, CSV or GeoJSON); with reference semantics also a score case or reference numbers",
    );
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
