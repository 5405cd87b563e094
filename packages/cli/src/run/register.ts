import { type Command, Option } from "commander";
import { wholeNumber } from "../options/arguments.ts";
import { addCommandOptions } from "../options/command-options.ts";
import { addRunOptions, withExample } from "../options/run-options.ts";
import type { RunFlags } from "./start-module.ts";

/** Adds `coppice run [module]`. */
export function registerRun(program: Command): void {
  const command = program
    .command("run")
    .description("run your own search, or search a space of parameters with a program of yours")
    .argument("[module]", "a file (.ts, .js, .mjs or .cjs) whose default export is defineRun({ … })")
    .addOption(
      new Option("--option <name=value>", "an option of the module; may be given several times")
        .argParser(collect)
        .default([], "the module's own"),
    );
  addCommandOptions(command)
    .option("--space <file>", "instead of a module: parameters to search for their best values (JSON)")
    .option(
      "--evaluations <n>",
      "with --space: how many points to try (200); all of them if there are fewer",
      wholeNumber({ least: 1, most: 10_000_000 }),
    );
  withExample(
    addRunOptions(command),
    [
      "coppice run examples/launch-angle/run.ts --workers 2 --option headWind=4",
      "  $ coppice run examples/python-evaluator/run.ts --command 'python3 examples/python-evaluator/flight.py' --command-mode lines",
      "  $ coppice run --space examples/shell-evaluator/space.json --command examples/shell-evaluator/packed-size.sh",
    ].join("\n"),
  ).action(async (module: string | undefined, flags: RunFlags) => {
    const { startRun } = await import("./start-module.ts");
    await startRun(module, flags);
  });
}

function collect(value: string, earlier: readonly string[]): string[] {
  return [...earlier, value];
}
