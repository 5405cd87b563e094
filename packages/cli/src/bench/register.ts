import { type Command, Option } from "commander";
import { wholeNumber } from "../options/arguments.ts";
import { addJsonOption, withExample } from "../options/run-options.ts";

/** Adds `coppice bench`. */
export function registerBench(program: Command): void {
  const command = program
    .command("bench")
    .description("measure against goals (exit code 0 when all are met); without a name, list the benchmarks")
    .argument("[name]", "which benchmark to run")
    .option("--rounds <n>", "how many times each side is measured", wholeNumber({ least: 1, most: 1000 }))
    .option("--csv <file>", "also write the measured curve there, where the benchmark has one (rates)")
    .option("--part <names>", "only these parts, separated by commas (plan, plan-scaling)", (names) => names.split(","))
    .option("--faults <n>", "how many faults in all (chaos)", wholeNumber({ least: 1, most: 100_000 }))
    .addOption(new Option("--pool <kind>", "only attacks on runs of that pool (chaos)").choices(["cluster"]))
    .option("--attacks <names>", "only these attacks, separated by commas (chaos)", (names) => names.split(","))
    .option(
      "--seed <n>",
      "seed of what is drawn (chaos)",
      wholeNumber({ least: Number.MIN_SAFE_INTEGER, most: Number.MAX_SAFE_INTEGER }),
    )
    .option("--quick", "only show that it runs; the figures mean little");
  withExample(addJsonOption(command), "coppice bench rates --rounds 3").action(async (name, flags) =>
    (await import("./bench.ts")).runBench(name, flags),
  );
}
