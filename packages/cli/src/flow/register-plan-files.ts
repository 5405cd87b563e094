import type { Instance } from "@coppice/airspace";
import { UsageError } from "@coppice/engine/usage-error";
import { type Command, Option } from "commander";
import { exitCode } from "../exit-code.ts";
import { type WeightFlags, withWeights } from "./price-options.ts";

interface JsonFlag extends WeightFlags {
  readonly json?: boolean;
}

interface ValidateFlags extends JsonFlag {
  readonly semantics: "corrected" | "reference";
  readonly log?: string;
}

type OpenDay = (flags: object) => Promise<Instance>;

/** Gives the command `validate` its options: exit code 0 if all is well, 1 for violations, 2 if something in the file is no regulation of the day. */
export function registerValidate(command: Command, openDay: OpenDay): void {
  command
    .description("check a plan: known volumes, windows and flows, positive rates, no duplicates")
    .argument("<plan>", "plan (JSON)")
    .addOption(
      new Option(
        "--semantics <preset>",
        "the network's model, or the published planner's, whose delays are checked too",
      )
        .choices(["corrected", "reference"])
        .default("corrected"),
    )
    .option("--log <file>", "run log of the published planner, for its delays (reference semantics)")
    .option("--json", "print data instead of text")
    .action(async (path: string, flags: ValidateFlags) => {
      const { validatePlan, validationText } = await import("../../../airspace/src/answers/plan-answers.ts");
      const reference = flags.semantics === "reference";
      if (flags.log !== undefined && !reference) {
        throw new UsageError("--log without --semantics reference: only the published planner's delays come in steps");
      }
      const validation = validatePlan(path, await openDay(flags), reference ? { log: flags.log } : undefined);
      process.stdout.write(flags.json ? `${JSON.stringify(validation, null, 2)}\n` : validationText(validation));
      if (!validation.ok) process.exitCode = validation.readable ? exitCode.failed : exitCode.usage;
    });
}

/** Gives the command `compare` its options. */
export function registerCompare(command: Command, openDay: OpenDay): void {
  withWeights(command)
    .description("put two plans side by side: what each costs, and where they differ")
    .argument("<a>", "plan (JSON)")
    .argument("<b>", "plan (JSON)")
    .option("--json", "print data instead of text")
    .action(async (a: string, b: string, flags: JsonFlag) => {
      const { comparePlans, comparisonText } = await import("../../../airspace/src/answers/plan-answers.ts");
      const { chosenWeights } = await import("./price-options.ts");
      const comparison = comparePlans(a, b, await openDay(flags), (ofPlan) => chosenWeights(flags, ofPlan));
      process.stdout.write(flags.json ? `${JSON.stringify(comparison, null, 2)}\n` : comparisonText(comparison));
    });
}

/** Gives the command `explain` its options. */
export function registerExplain(command: Command, openDay: OpenDay): void {
  withWeights(command)
    .description(
      "say of each regulation what it protects, whom it delays, what it is worth and what it pushes elsewhere",
    )
    .argument("<plan>", "plan (JSON)")
    .option("--json", "print data instead of text")
    .action(async (path: string, flags: JsonFlag) => {
      const { explainFile, explanationText } = await import("../../../airspace/src/answers/plan-answers.ts");
      const { chosenWeights } = await import("./price-options.ts");
      const day = await openDay(flags);
      const explanation = explainFile(path, day, (ofPlan) => chosenWeights(flags, ofPlan));
      process.stdout.write(flags.json ? `${JSON.stringify(explanation, null, 2)}\n` : explanationText(explanation));
    });
}
