import type { Command } from "commander";
import { wholeNumber } from "../options/arguments.ts";
import { addCommandOptions } from "../options/command-options.ts";
import { addOptions, collected } from "../options/option-table.ts";
import { addRunOptions, withExample } from "../options/run-options.ts";
import type { RunFlags } from "./start-module.ts";

/** Adds `coppice run [module]`. */
export function registerRun(program: Command): void {
  const command = program
    .command("run")
    .description("run your own search, or search a space of parameters with a program of yours")
    .argument("[module]", "a file (.ts, .js, .mjs or .cjs) whose default export is defineRun({ … })");
  addOptions(command, [
    [
      "--option <name=value>",
      "an option of the module; may be given several times",
      { read: collected, usual: [], shown: "the module's own" },
    ],
  ]);
  addOptions(addCommandOptions(command), [
    ["--space <file>", "instead of a module: parameters to search for their best values (JSON)"],
    [
      "--evaluations <n>",
      "with --space: how many points to try (200); all of them if there are fewer",
      { read: wholeNumber(1, 10_000_000) },
    ],
  ]);
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
