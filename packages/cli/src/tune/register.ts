import { type Command, Option } from "commander";
import { durationMs } from "../options/duration.ts";
import { withExample, withExamples } from "../options/example.ts";
import { wholeNumber } from "../options/whole-number.ts";
import type { DemoFlags } from "./demo.ts";
import type { EvaluateFlags } from "./evaluate.ts";
import type { TuneFlags, WorkFlags } from "./tune.ts";

const LOW_COVERAGE = "do not judge weeks in which fewer than half of the players were projected";

/** Adds `coppice tune …`. */
export function registerTune(program: Command): void {
  // Options after a command are that command's own: tune and the commands below it share names.
  program.enablePositionalOptions();
  const tune = program
    .command("tune")
    .description("improve a model's parameters by a tournament across forecast horizons")
    .enablePositionalOptions()
    .option("--data <folder>", "seasons: players.csv and its companions, or <year>/weeks/week_NN")
    .option("--baseline <folder>", "where tuning starts: league_config.json and one file per horizon")
    .option("--compare <folders...>", "compare two configuration folders on the data instead of tuning")
    .option("--promote [folder]", "put what is better in a folder of winners (default: --output) into the baseline")
    .option("--holdout <season>", "leave a season out of the tuning and check the gain on it")
    .option("--exclude-low-coverage-weeks", LOW_COVERAGE)
    .addOption(
      new Option("--objective <name>", "lower error or better foretold order")
        .choices(["mae", "pairwise"])
        .default("mae"),
    )
    .option("--evaluator <module>", "tune something else: a module that judges configurations")
    .option("--space <file>", "its parameters, horizons and baseline (JSON)")
    .option("--horizons <names>", "only these, separated by commas", list)
    .option("--params <names>", "only these parameters, in this order", list)
    .option("--num-params <n>", "only the first n parameters", wholeNumber({ least: 1, most: 10_000 }))
    .option("--candidates <file>", "given values instead of drawn ones (JSON)");
  addShapeOptions(tune, { testValues: 20, maxPasses: 10, output: "tuned" });
  addWorkOptions(tune).action(async (flags: TuneFlags & WorkFlags) => {
    const { tune } = await import("./tune.ts");
    process.exitCode = await tune(flags);
  });

  tune
    .command("evaluate")
    .description("measure configurations: all metrics for all horizons and seasons")
    .requiredOption("--data <folder>", "seasons, as for tune")
    .requiredOption("--config <path>", "one configuration for all horizons (a file), or a folder with one for each")
    .option("--horizons <names>", "only these, separated by commas", list)
    .option("--exclude-low-coverage-weeks", LOW_COVERAGE)
    .option("--players", "also every player's projection")
    .option("--json", "print data instead of text")
    .action(async (flags: EvaluateFlags) => {
      const { evaluate } = await import("./evaluate.ts");
      process.exitCode = evaluate(flags);
    });

  const demo = tune.command("demo").description("invent four seasons and tune on three of them");
  addShapeOptions(demo, { testValues: 6, maxPasses: 2, output: "tune-demo" });
  addWorkOptions(demo).action(async (flags: DemoFlags & WorkFlags) => {
    const { demo } = await import("./demo.ts");
    process.exitCode = await demo(flags);
  });

  withExample(tune, "coppice tune --data seasons --baseline start --holdout 2025 --output tuned");
  withExamples(tune, {
    evaluate: "coppice tune evaluate --data seasons --config tuned",
    demo: "coppice tune demo",
  });
}

/** What shapes the answer. */
function addShapeOptions(
  command: Command,
  defaults: { readonly testValues: number; readonly maxPasses: number; readonly output: string },
): void {
  command
    .option("--output <folder>", "where winners and reports go", defaults.output)
    .option(
      "--test-values <n>",
      "drawn values per parameter and horizon",
      wholeNumber({ least: 0, most: 100_000 }),
      defaults.testValues,
    )
    .option(
      "--max-passes <n>",
      "passes over all parameters, at most",
      wholeNumber({ least: 1, most: 1000 }),
      defaults.maxPasses,
    )
    .addOption(
      new Option("--seed <n>", "of the drawn values")
        .argParser(wholeNumber({ least: Number.MIN_SAFE_INTEGER, most: Number.MAX_SAFE_INTEGER }))
        .env("COPPICE_SEED")
        .default(42),
    )
    .addOption(
      new Option("--on-failure <policy>", "stop at a configuration that cannot be judged, or go on without it")
        .choices(["stop", "continue"])
        .env("COPPICE_ON_FAILURE")
        .default("stop"),
    )
    .addOption(
      new Option("--retries <n>", "attempts after the first that failed")
        .argParser(wholeNumber({ least: 0, most: 1000 }))
        .env("COPPICE_RETRIES")
        .default(0),
    )
    .addOption(
      new Option("--timeout <time>", "limit of one configuration: 500ms, 30s, 5m")
        .argParser(durationMs)
        .env("COPPICE_TIMEOUT")
        .default(0, "none"),
    );
}

/** What only changes how it is worked on. */
function addWorkOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--max-workers <n>", "configurations judged at once; never more than there are cores")
        .argParser(wholeNumber({ least: 1, most: 1024 }))
        .env("COPPICE_MAX_WORKERS")
        .default(8),
    )
    .option("--use-processes", "judge in worker processes", true)
    .option("--no-use-processes", "judge in threads of this process")
    .addOption(new Option("--run-dir <folder>", "where runs are kept").env("COPPICE_RUN_DIR").default(".coppice/runs"))
    .option("--id <name>", "name of the run, instead of the next number")
    .option("--quiet", "no live display, only how parameters ended")
    .option("--json", "print the report as data");
}

function list(text: string): readonly string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
