import type { Command } from "commander";
import { wholeNumber } from "../options/arguments.ts";
import { addJsonOption, addPlaceOption, withExample } from "../options/run-options.ts";

/** Adds `coppice demo`. */
export function registerDemo(program: Command): void {
  const command = program
    .command("demo")
    .description("see it work: one search with 1 worker, with many, and killed and resumed; the same digest each time")
    .option("--workers <n>", "workers in the parallel runs (one per core)", wholeNumber({ least: 2, most: 64 }))
    .option("--seed <n>", "seed of the search", wholeNumber({ least: 0, most: Number.MAX_SAFE_INTEGER }), 1)
    .option(
      "--generations <n>",
      "how long it searches, in generations of twenty simulations",
      wholeNumber({ least: 2, most: 1000 }),
      32,
    )
    .option("--quiet", "plain lines instead of the live display");
  withExample(addPlaceOption(addJsonOption(command)), "coppice demo --workers 4").action(async (flags) =>
    (await import("./demo.ts")).runDemo(flags),
  );
}
