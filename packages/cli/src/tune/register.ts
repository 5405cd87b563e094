import type { SamplingChoices } from "@coppice/projections/sampling";
import type { Command } from "commander";
import { namesIn, realNumber, wholeNumber } from "../options/arguments.ts";
import { addCommandOptions } from "../options/command-options.ts";
import { addOptions, type OptionRow } from "../options/option-table.ts";
import { addJsonOption, addRunOptions, withExample, withExamples } from "../options/run-options.ts";
import type { DemoFlags, EvaluateFlags, TuneFlags } from "./tune.ts";

/** Adds `coppice tune …`. */
export function registerTune(program: Command): void {
  // Options after a command are that command's own: tune and the commands below it share names.
  program.enablePositionalOptions();
  const tune = program
    .command("tune")
    .description("improve a model's parameters by a tournament across forecast horizons, or search a space by samples")
    .enablePositionalOptions();
  addOptions(tune, tuneRows);
  addOptions(addCommandOptions(addOptions(tune, choiceRows)), samplingRows);
  addTuningOptions(tune, { testValues: 20, maxPasses: 10, output: "tuned" }).action(async (flags: TuneFlags) => {
    const { tune: run } = await import("./tune.ts");
    const usual = ["seed", "objective", "testValues", "maxPasses"];
    await run({ ...flags, given: usual.filter((name) => tune.getOptionValueSource(name) !== "default") });
  });

  const evaluate = tune
    .command("evaluate")
    .description("measure configurations: all metrics for all horizons and seasons")
    .requiredOption("--data <folder>", "the seasons, as for tune")
    .requiredOption("--config <path>", "one configuration for all horizons (a file), or a folder with one for each");
  addOptions(evaluate, [horizons, coverage, seasons, ["--players", "also print every player's projection"]]);
  addJsonOption(evaluate).action(async (flags: EvaluateFlags) => {
    const { evaluate } = await import("./tune.ts");
    evaluate(flags);
  });

  const demo = tune.command("demo").description("invent four seasons and tune on three of them");
  addOptions(demo, choiceRows);
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

const horizons: OptionRow = ["--horizons <names>", "only these, separated by commas", { read: namesIn }];
const seasons: OptionRow = ["--seasons <names>", "only these, separated by commas", { read: namesIn }];
const coverage: OptionRow = [
  "--exclude-low-coverage-weeks",
  "do not judge weeks in which fewer than half of the players were projected",
];

const tuneRows: readonly OptionRow[] = [
  ["--data <folder>", "seasons: players.csv and its companions, or <year>/weeks/week_NN"],
  ["--baseline <folder>", "where tuning starts: league_config.json and one file per horizon"],
  ["--compare <folders...>", "compare two configuration folders on the data instead of tuning"],
  [
    "--promote [folder]",
    "put values that are better in a folder of winners (default: --output) into the baseline's files",
  ],
  ["--yes", "promote without asking"],
  seasons,
  ["--holdout <season>", "leave a season out of the tuning and check the gain on it"],
  coverage,
  [
    "--objective <name>",
    "what to improve: the error (mae) or the predicted order of players (pairwise)",
    { choices: ["mae", "pairwise"], usual: "mae" },
  ],
  ["--evaluator <module>", "tune something else: a module that judges configurations"],
  ["--space <file>", "its parameters, with horizons and a baseline for a tournament (YAML or JSON)"],
  ["--ranges <file>", "other ranges or lists of values of parameters, or more parameters (YAML or JSON)"],
  ["--candidates <file>", "values to try instead of drawn ones (JSON)"],
];

/** What of everything is tuned. */
const choiceRows: readonly OptionRow[] = [
  horizons,
  ["--params <names>", "only these parameters, in this order", { read: namesIn }],
  ["--num-params <n>", "only the first n parameters", { read: wholeNumber(1, 10_000) }],
];

const methods: readonly NonNullable<SamplingChoices["method"]>[] = [
  ...(["auto", "random", "halton", "tpe", "cma-es", "steps", "nsga2", "halving", "hyperband"] as const),
];

/** What a search of a space by samples is told; any of these makes it one. */
const samplingRows: readonly OptionRow[] = [
  ["--method <name>", "search a space without horizons, or --data, by samples; auto chooses", { choices: methods }],
  [
    "--trials <n>",
    "how many points to try (200); halving and hyperband fill their last bracket",
    { read: wholeNumber(1, 1_000_000) },
  ],
  [
    "--window <n>",
    "how many may be under way at once (8; 2 for steps on --data); shapes the answer",
    { read: wholeNumber(1, 512) },
  ],
  ["--repeats <n>", "evaluate each point this many times", { read: wholeNumber(1, 1000) }],
  ["--patience <n>", "end after this many trials without a gain", { read: wholeNumber(1, 1_000_000) }],
  ["--target <value>", "end when this is reached", { read: realNumber({}) }],
  ["--regularize <part>", "charge for leaving the baseline (--data)", { read: realNumber({ least: 0 }) }],
  ["--cross-validate", "leave out one season after the other to choose --regularize (--data)"],
  ["--budget <name=min..max>", "what halving and hyperband spend, such as epochs=1..81"],
  ["--first <file>", "points to begin with: a list (YAML or JSON)"],
  ["--from <run>", "begin with what an earlier run's trials of the same space have shown"],
  ["--continue <run>", "continue a finished run, up to --trials in all"],
];

/** What every tuning is told. */
function addTuningOptions(
  command: Command,
  usual: { readonly testValues: number; readonly maxPasses: number; readonly output: string },
): Command {
  addOptions(command, [
    ["--output <folder>", "where winners and reports go", { usual: usual.output }],
    [
      "--test-values <n>",
      "values drawn per parameter and horizon",
      { read: wholeNumber(1, 100_000), usual: usual.testValues },
    ],
    ["--max-passes <n>", "the most passes over all parameters", { read: wholeNumber(1, 1000), usual: usual.maxPasses }],
    [
      "--max-workers <n>",
      "the most configurations judged at once, never more than there are cores; --workers overrides it",
      { read: wholeNumber(1, 1024), env: "COPPICE_MAX_WORKERS", usual: 8 },
    ],
    ["--use-processes", "judge in worker processes; --pool overrides it", { usual: true }],
    ["--no-use-processes", "judge in threads of this process; --pool overrides it"],
  ]);
  return addRunOptions(command, 42);
}
