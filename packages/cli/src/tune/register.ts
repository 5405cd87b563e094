import type { SamplingChoices } from "@coppice/projections/sampling";
import { type Command, Option } from "commander";
import { realNumber, wholeNumber } from "../options/arguments.ts";
import { addCommandOptions } from "../options/command-options.ts";
import { addJsonOption, addRunOptions, withExample, withExamples } from "../options/run-options.ts";
import type { DemoFlags, EvaluateFlags, TuneFlags } from "./tune.ts";

const LOW_COVERAGE = "do not judge weeks in which fewer than half of the players were projected";

/** Adds `coppice tune …`. */
export function registerTune(program: Command): void {
  // Options after a command are that command's own: tune and the commands below it share names.
  program.enablePositionalOptions();
  const tune = program
    .command("tune")
    .description("improve a model's parameters by a tournament across forecast horizons, or search a space by samples")
    .enablePositionalOptions()
    .option("--data <folder>", "seasons: players.csv and its companions, or <year>/weeks/week_NN")
    .option("--baseline <folder>", "where tuning starts: league_config.json and one file per horizon")
    .option("--compare <folders...>", "compare two configuration folders on the data instead of tuning")
    .option(
      "--promote [folder]",
      "put values that are better in a folder of winners (default: --output) into the baseline's files",
    )
    .option("--yes", "promote without asking")
    .option("--seasons <names>", "only these, separated by commas", list)
    .option("--holdout <season>", "leave a season out of the tuning and check the gain on it")
    .option("--exclude-low-coverage-weeks", LOW_COVERAGE)
    .addOption(
      new Option("--objective <name>", "what to improve: the error (mae) or the predicted order of players (pairwise)")
        .choices(["mae", "pairwise"])
        .default("mae"),
    )
    .option("--evaluator <module>", "tune something else: a module that judges configurations")
    .option("--space <file>", "its parameters, with horizons and a baseline for a tournament (YAML or JSON)")
    .option("--ranges <file>", "other ranges or lists of values of parameters, or more parameters (YAML or JSON)")
    .option("--candidates <file>", "values to try instead of drawn ones (JSON)");
  addSamplingOptions(addCommandOptions(addChoiceOptions(tune)));
  addTuningOptions(tune, { testValues: 20, maxPasses: 10, output: "tuned" }).action(async (flags: TuneFlags) => {
    const { tune: run } = await import("./tune.ts");
    const usual = ["seed", "objective", "testValues", "maxPasses"];
    await run({ ...flags, given: usual.filter((name) => tune.getOptionValueSource(name) !== "default") });
  });

  const evaluate = tune
    .command("evaluate")
    .description("measure configurations: all metrics for all horizons and seasons")
    .requiredOption("--data <folder>", "the seasons, as for tune")
    .requiredOption("--config <path>", "one configuration for all horizons (a file), or a folder with one for each")
    .option("--horizons <names>", "only these, separated by commas", list)
    .option("--exclude-low-coverage-weeks", LOW_COVERAGE)
    .option("--seasons <names>", "only these, separated by commas", list)
    .option("--players", "also print every player's projection");
  addJsonOption(evaluate).action(async (flags: EvaluateFlags) => {
    const { evaluate } = await import("./tune.ts");
    evaluate(flags);
  });

  const demo = addChoiceOptions(tune.command("demo").description("invent four seasons and tune on three of them"));
  addTuningOptions(demo, { testValues: 6, maxPasses: 2, output: "tune-demo" }).action(async (flags: DemoFlags) => {
    const { demo } = await import("./tune.ts");
    await demo(flags);
  });

  withExample(
    tune,
    [
      "coppice tune --space space.yaml --command 'python3 train.py' --method tpe --trials 200 --workers 4",
      "  $ coppice tune --data seasons --baseline start --holdout 2025 --output tuned",
    ].join("\n"),
  );
  withExamples(tune, {
    evaluate: "coppice tune evaluate --data seasons --config tuned",
    demo: "coppice tune demo",
  });
}

/** What of everything is tuned. */
function addChoiceOptions(command: Command): Command {
  return command
    .option("--horizons <names>", "only these, separated by commas", list)
    .option("--params <names>", "only these parameters, in this order", list)
    .option("--num-params <n>", "only the first n parameters", wholeNumber({ least: 1, most: 10_000 }));
}

/** What a search of a space by samples is told; any of these makes it one. */
function addSamplingOptions(command: Command): void {
  const methods: readonly NonNullable<SamplingChoices["method"]>[] = [
    ...(["auto", "random", "halton", "tpe", "cma-es", "steps", "nsga2", "halving", "hyperband"] as const),
  ];
  command
    .addOption(
      new Option("--method <name>", "search a space without horizons, or --data, by samples; auto chooses").choices(
        methods,
      ),
    )
    .option(
      "--trials <n>",
      "how many points to try (200); halving and hyperband fill their last bracket",
      wholeNumber({ least: 1, most: 1_000_000 }),
    )
    .option(
      "--window <n>",
      "how many may be under way at once (8; 2 for steps on --data); shapes the answer",
      wholeNumber({ least: 1, most: 512 }),
    )
    .option("--repeats <n>", "evaluate each point this many times", wholeNumber({ least: 1, most: 1000 }))
    .option("--patience <n>", "end after this many trials without a gain", wholeNumber({ least: 1, most: 1_000_000 }))
    .option("--target <value>", "end when this is reached", realNumber({}))
    .option("--regularize <part>", "charge for leaving the baseline (--data)", realNumber({ least: 0 }))
    .option("--cross-validate", "leave out one season after the other to choose --regularize (--data)")
    .option("--budget <name=min..max>", "what halving and hyperband spend, such as epochs=1..81")
    .option("--first <file>", "points to begin with: a list (YAML or JSON)")
    .option("--from <run>", "begin with what an earlier run's trials of the same space have shown")
    .option("--continue <run>", "continue a finished run, up to --trials in all");
}

/** What every tuning is told. */
function addTuningOptions(
  command: Command,
  defaults: { readonly testValues: number; readonly maxPasses: number; readonly output: string },
): Command {
  const { testValues, maxPasses, output } = defaults;
  command
    .option("--output <folder>", "where winners and reports go", output)
    .option(
      "--test-values <n>",
      "values drawn per parameter and horizon",
      wholeNumber({ least: 1, most: 100_000 }),
      testValues,
    )
    .option("--max-passes <n>", "the most passes over all parameters", wholeNumber({ least: 1, most: 1000 }), maxPasses)
    .addOption(
      new Option(
        "--max-workers <n>",
        "the most configurations judged at once, never more than there are cores; --workers overrides it",
      )
        .argParser(wholeNumber({ least: 1, most: 1024 }))
        .env("COPPICE_MAX_WORKERS")
        .default(8),
    )
    .option("--use-processes", "judge in worker processes; --pool overrides it", true)
    .option("--no-use-processes", "judge in threads of this process; --pool overrides it");
  return addRunOptions(command, { seed: 42 });
}

function list(text: string): readonly string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
