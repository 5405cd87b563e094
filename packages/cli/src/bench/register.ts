import type { Command } from "commander";
import { wholeNumber } from "../options/arguments.ts";
import { addOptions } from "../options/option-table.ts";
import { addJsonOption, withExample } from "../options/run-options.ts";

const names = (text: string): readonly string[] => text.split(",");

/** Adds `coppice bench`. */
export function registerBench(program: Command): void {
  const command = program
    .command("bench")
    .description("measure against goals (exit code 0 when all are met); without a name, list the benchmarks")
    .argument("[name]", "which benchmark to run");
  addOptions(command, [
    ["--rounds <n>", "how many times each side is measured", { read: wholeNumber(1, 1000) }],
    [
      "--csv <file>",
      "also write the measured curve there (rates, plan-scaling, tree), or keep Optuna's searches (samplers)",
    ],
    ["--part <names>", "only these parts, separated by commas (plan, plan-scaling, tune, samplers)", { read: names }],
    ["--faults <n>", "how many faults in all (chaos)", { read: wholeNumber(1, 100_000) }],
    ["--pool <kind>", "only attacks on runs of that pool (chaos)", { choices: ["cluster"] }],
    ["--attacks <names>", "only these attacks, separated by commas (chaos)", { read: names }],
    [
      "--seed <n>",
      "seed of what is drawn (chaos), or the first seed (samplers)",
      { read: wholeNumber(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER) },
    ],
    ["--quick", "only show that it runs; the figures mean little"],
  ]);
  withExample(addJsonOption(command), "coppice bench rates --rounds 3").action(async (name, flags) =>
    (await import("./bench.ts")).runBench(name, flags),
  );
}
