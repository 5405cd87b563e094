import { type Command, Option } from "commander";
import { addRunOptions, type RunOptions } from "../options/shape-options.ts";
import { wholeNumber } from "../options/whole-number.ts";
import type { DayFlags } from "./open-day.ts";
import { type WeightFlags, withWeights } from "./weights.ts";

export interface PlanFlags extends WeightFlags, DayFlags, RunOptions {
  readonly policy: string;
  readonly evaluations: number;
  readonly roots: number;
  readonly without: readonly string[];
  readonly out?: string;
  readonly report?: string;
}

/** Gives the command `plan` its options. */
export function registerPlan(command: Command): void {
  withWeights(command)
    .description("search for the plan that costs the network least, on all cores, with the same answer every time")
    .addOption(
      new Option("--policy <name>", "how to search")
        .choices(["default", "plain", "annealing", "greedy", "greedy-all", "random", "empty"])
        .default("default"),
    )
    .addOption(
      new Option("--evaluations <n>", "plan evaluations, over all roots")
        .argParser(wholeNumber({ least: 1, most: 1_000_000_000 }))
        .default(100_000),
    )
    .addOption(
      new Option("--roots <n>", "independent searches that share the evaluations; shapes the answer")
        .env("COPPICE_ROOTS")
        .argParser(wholeNumber({ least: 1, most: 1024 }))
        .default(2),
    )
    .option("--without <parts>", "switch parts off: tree,tuning,rerooting,minmax,memory,annealing", partList, [])
    .option("--out <file>", "write the plan there (JSON); it is always in the run's directory")
    .option("--report <file>", "write a page with map and charts there (HTML); it is always in the run's directory");
  addRunOptions(command)
    .addHelpText("after", "\nExample:\n  $ coppice flow plan --evaluations 200000 --out plan.json\n")
    .action(async (flags: PlanFlags) => {
      const { planDay } = await import("./plan.ts");
      await planDay(flags);
    });
}

function partList(text: string): readonly string[] {
  return text.split(",").map((part) => part.trim());
}
