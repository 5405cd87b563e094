import type { TimeSplit } from "@coppice/airspace";
import { type Command, Option } from "commander";
import { durationMs } from "../options/duration.ts";
import { realNumber } from "../options/real-number.ts";
import { addRunOptions, type RunOptions } from "../options/shape-options.ts";
import { wholeNumber } from "../options/whole-number.ts";
import { workerNames } from "../options/worker-names.ts";
import type { DayFlags } from "../../../airspace/src/import/open-day.ts";
import { type WeightFlags, withWeights } from "./price-options.ts";

export interface PlanFlags extends WeightFlags, DayFlags, RunOptions {
  readonly mode: "episode" | "stepwise";
  readonly policy?: string;
  readonly rates: "cheap" | "exact";
  readonly evaluations?: number;
  readonly roots: number;
  readonly without: readonly string[];
  readonly out?: string;
  readonly report?: string;

  readonly parallelMode: "sims" | "time";
  readonly searchTime?: number;
  readonly timeSplit?: TimeSplit;
  readonly outerMaxRuns?: number;
  readonly outerMaxTime?: number;

  readonly maxRegulations?: number;
  readonly maxActions?: number;
  readonly dwellingFactor?: number;
  readonly maxRemovals?: number;
  readonly back?: boolean;
  readonly hotspotTemperature?: number;
  readonly flowTemperature?: number;
  readonly otherTemperature?: number;

  readonly asyncCommits?: boolean;
  readonly speculate?: number;
  readonly commitEvaluations?: number;

  readonly numWorkersRoot?: number;
  readonly numWorkersRf: number;
  readonly parallelBackend?: string;
}

const MOST = 1_000_000_000;

/** Gives the command `plan` its options. */
export function registerPlan(command: Command): void {
  withWeights(command)
    .description("search for the plan that costs the network least, on all cores, with the same answer every time")
    .option("--out <file>", "write the plan there (JSON); it is always in the run's directory")
    .option("--report <file>", "write a page with map and charts there (HTML); it is always in the run's directory");
  addSearchOptions(command);
  addBudgetOptions(command);
  addEpisodeOptions(command);
  addStepwiseOptions(command);
  addCrewOptions(command);
  addRunOptions(command)
    .addHelpText("after", "\nExample:\n  $ coppice flow plan --evaluations 200000 --out plan.json\n")
    .action(async (flags: PlanFlags, given: Command) => {
      const { planDay } = await import("../../../airspace/src/planner/planning-record.ts");
      await planDay(flags, (name) => given.getOptionValueSource(name) as "cli" | "env" | "default" | undefined);
    });
}

function addSearchOptions(command: Command): void {
  command
    .addOption(
      new Option("--mode <mode>", "plan all at once, or one regulation after the other")
        .choices(["episode", "stepwise"])
        .default("episode"),
    )
    .addOption(
      new Option("--policy <name>", "how to search (default)").choices([
        "default",
        "plain",
        "annealing",
        "greedy",
        "greedy-all",
        "random",
        "empty",
      ]),
    )
    .addOption(
      new Option("--rates <kind>", "rates of episodes while they are searched: a proxy, or found by the rate finder")
        .choices(["cheap", "exact"])
        .default("cheap"),
    )
    .addOption(
      new Option("--roots <n>", "independent searches that share the evaluations; shapes the answer")
        .env("COPPICE_ROOTS")
        .argParser(wholeNumber({ least: 1, most: 1024 }))
        .default(2),
    )
    .option(
      "--without <parts>",
      "switch parts off: tree,tuning,rerooting,minmax,memory,recall,along,splitting,exchange,annealing",
      partList,
      [],
    );
}

function addBudgetOptions(command: Command): void {
  command
    .addOption(
      new Option("--evaluations <n>", "plan evaluations, over all roots (100000)").argParser(
        wholeNumber({ least: 1, most: MOST }),
      ),
    )
    .addOption(
      new Option(
        "--parallel-mode <mode>",
        "what roots share: evaluations, or time (reproducible from its journal only)",
      )
        .env("COPPICE_PARALLEL_MODE")
        .choices(["sims", "time"])
        .default("sims"),
    )
    .addOption(new Option("--search-time <time>", "time for --parallel-mode time: 30s, 5m").argParser(durationMs))
    .addOption(
      new Option("--time-split <split>", "each root gets the full time (default), or an equal share of it").choices([
        "full",
        "share",
      ]),
    )
    .addOption(
      new Option(
        "--outer-max-runs <n>",
        "plan so often with other seeds and take the best (1); 0 is any number",
      ).argParser(wholeNumber({ least: 0, most: 1_000_000 })),
    )
    .addOption(
      new Option("--outer-max-time <time>", "begin no further run after this time; the last one is finished").argParser(
        durationMs,
      ),
    );
}

function addEpisodeOptions(command: Command): void {
  const whole = (least: number) => wholeNumber({ least, most: 1_000_000 });
  command
    .addOption(new Option("--max-regulations <n>", "regulations in a plan of episodes (12)").argParser(whole(1)))
    .addOption(new Option("--max-actions <n>", "actions of an episode").argParser(whole(1)))
    .addOption(
      new Option(
        "--dwelling-factor <x>",
        "flights needed to regulate, as a part of the capacity (entrances_to_occupancy_dwelling_factor, 0.1)",
      ).argParser(realNumber({ least: 0 })),
    )
    .addOption(new Option("--max-removals <n>", "flows taken out again per regulation (1)").argParser(whole(0)))
    .option("--back", "let episodes give a picked hotspot up")
    .addOption(
      new Option("--hotspot-temperature <x>", "above 1 picks hotspots more evenly (1)").argParser(
        realNumber({ above: 0 }),
      ),
    )
    .addOption(
      new Option("--flow-temperature <x>", "above 1 adds flows more evenly (1)").argParser(realNumber({ above: 0 })),
    )
    .addOption(
      new Option("--other-temperature <x>", "the same for all other actions (1)").argParser(realNumber({ above: 0 })),
    );
}

function addStepwiseOptions(command: Command): void {
  command
    .option(
      "--async-commits",
      "with exact rates: go on while up to 8 commits per tree are evaluated; shapes the answer",
    )
    .addOption(
      new Option("--speculate <n>", "stepwise: search so many hotspots at the same time and apply one").argParser(
        wholeNumber({ least: 2, most: 64 }),
      ),
    )
    .addOption(
      new Option(
        "--commit-evaluations <n>",
        "stepwise: commits evaluated per regulation, over all trees (64)",
      ).argParser(wholeNumber({ least: 1, most: 1_000_000 })),
    );
}

function addCrewOptions(command: Command): void {
  command
    .addOption(
      new Option("--num-workers-root <n>", "searches at once (half of the cores, 1 to 4); never changes the answer")
        .env("COPPICE_NUM_WORKERS_ROOT")
        .argParser(wholeNumber({ least: 1, most: 1024 })),
    )
    .addOption(
      new Option("--num-workers-rf <n>", "with exact rates: workers that score rates, for each search; 0 is none")
        .env("COPPICE_NUM_WORKERS_RF")
        .argParser(wholeNumber({ least: 0, most: 1024 }))
        .default(0),
    )
    .addOption(
      new Option("--parallel-backend <kind>", "what workers are (thread)")
        .env("COPPICE_PARALLEL_BACKEND")
        .choices(workerNames()),
    )
    .addOption(
      new Option("--max-tasks-in-flight <n>", "most tasks handed to workers at once")
        .env("COPPICE_MAX_TASKS_IN_FLIGHT")
        .argParser(wholeNumber({ least: 1, most: 1_000_000 })),
    )
    .addOption(
      new Option("--progress-interval <time>", "how often progress is shown (100ms in a terminal, 5s otherwise)")
        .env("COPPICE_PROGRESS_INTERVAL")
        .argParser(durationMs),
    );
}

function partList(text: string): readonly string[] {
  return text.split(",").map((part) => part.trim());
}
