import type { Command } from "commander";
import { wholeNumber } from "../options/arguments.ts";
import { addOptions } from "../options/option-table.ts";
import { addJsonOption, addPlaceOption, withExample } from "../options/run-options.ts";

/** Adds `coppice demo`. */
export function registerDemo(program: Command): void {
  const command = program
    .command("demo")
    .description("see it work: one search with 1 worker, with many, and killed and resumed; the same digest each time");
  addOptions(command, [
    ["--workers <n>", "workers in the parallel runs (one per core)", { read: wholeNumber(2, 64) }],
    ["--seed <n>", "seed of the search", { read: wholeNumber(0, Number.MAX_SAFE_INTEGER), usual: 1 }],
    [
      "--generations <n>",
      "how long it searches, in generations of twenty simulations",
      { read: wholeNumber(2, 1000), usual: 32 },
    ],
    ["--quiet", "plain lines instead of the live display"],
  ]);
  withExample(addPlaceOption(addJsonOption(command)), "coppice demo --workers 4").action(async (flags) =>
    (await import("./demo.ts")).runDemo(flags),
  );
}
