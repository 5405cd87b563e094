import type { PlanningChoices } from "@coppice/airspace";
import { episodePriors, plannerParts, plannerPolicies, stopPlaces } from "@coppice/airspace/settings";
import { type Command, InvalidArgumentError } from "commander";
import { durationMs, realNumber, wholeNumber } from "../options/arguments.ts";
import { addOptions, type OptionRow } from "../options/option-table.ts";
import { workerNames } from "../options/pool-choice.ts";
import { addRunOptions, type RunOptions } from "../options/run-options.ts";
import type { Source } from "../options/two-names.ts";
import { withDay, withPrices, withSemantics } from "./day-options.ts";

export interface PlanFlags extends PlanningChoices, RunOptions {
  readonly seed?: number;
  readonly maxTime?: number;
  readonly semantics: "corrected" | "reference";
  readonly discovery?: string;
  readonly out?: string;
  readonly report?: string;
  readonly numWorkersRoot?: number;
  readonly parallelBackend?: string;
}

/** Gives the command `plan` its options. */
export function registerPlan(command: Command): void {
  withSemantics(withPrices(withDay(command)), "the network's objective, or the published planner's").description(
    "search for the plan that costs the network least, on all cores, with the same answer every time",
  );
  addOptions(command, [...outputs, ...search, ...limits, ...episodes, ...stepwise, ...workers()]);
  addRunOptions(command)
    .addHelpText("after", "\nExample:\n  $ coppice flow plan --evaluations 200000 --out plan.json\n")
    .action(async (flags: PlanFlags, given: Command) => {
      const { planDay } = await import("./plan.ts");
      await planDay(flags, (name) => given.getOptionValueSource(name) as Source);
    });
}

const whole = (least: number, most = 1_000_000) => wholeNumber(least, most);

const outputs: readonly OptionRow[] = [
  ["--discovery <file>", "with reference semantics: file with the discovery_config for finding flows"],
  ["--out <file>", "write the plan there (JSON); it is always in the run's directory"],
  ["--report <file>", "write a page with a map and charts there (HTML); it is always in the run's directory"],
];

const search: readonly OptionRow[] = [
  [
    "--mode <mode>",
    "plan all at once, or one regulation after the other",
    { choices: ["episode", "stepwise"], usual: "episode" },
  ],
  ["--policy <name>", "how to search (default)", { choices: plannerPolicies }],
  [
    "--rates <kind>",
    "rates of episodes during the search: a proxy, or found by the rate finder",
    { choices: ["cheap", "exact"], usual: "cheap" },
  ],
  [
    "--roots <n>",
    "instead of walkers: independent searches that share the evaluations; shapes the answer",
    { env: "COPPICE_ROOTS", read: whole(1, 1024) },
  ],
  [
    "--walkers <n>",
    "searches that learn from each other (one per 10,000 evaluations); shapes the answer",
    { read: whole(1, 1024) },
  ],
  [
    "--robust <n>",
    "plan for n draws of the weather at once, the forecast among them, and show what that costs and saves",
    { read: whole(1, 256) },
  ],
  [
    "--front [prices]",
    "a plan for each of these prices of a minute (--lambda times 1/8 to 8): delay against exceedance, as a picture and a table",
    { read: priceList },
  ],
  [
    "--rounds <n>",
    "how many times walkers are compared (21; it follows --evaluations); shapes the answer",
    { read: whole(1, 100_000) },
  ],
  ["--without <parts>", `switch parts off: ${plannerParts.join(",")}`, { read: partList, usual: [], shown: "none" }],
];

const limits: readonly OptionRow[] = [
  [
    "--evaluations <n>",
    "plan evaluations, of all walkers or roots together (100000)",
    { read: whole(1, 1_000_000_000) },
  ],
  [
    "--parallel-mode <mode>",
    "what roots share: evaluations, or time (reproducible from its journal only)",
    { env: "COPPICE_PARALLEL_MODE", choices: ["sims", "time"], usual: "sims" },
  ],
  ["--search-time <time>", "time for --parallel-mode time: 30s, 5m", { read: durationMs }],
  [
    "--time-split <split>",
    "each root gets the full time (default), or an equal share of it",
    { choices: ["full", "share"] },
  ],
  [
    "--outer-max-runs <n>",
    "search this many times with different seeds and take the best plan (1); 0 for any number",
    { read: whole(0) },
  ],
  ["--outer-max-time <time>", "start no new run after this time; the last one is finished", { read: durationMs }],
];

const episodes: readonly OptionRow[] = [
  [
    "--priors <kind>",
    "what makes actions of episodes likely: excess and flights, or the costs of sampled regulations (counts)",
    { choices: episodePriors },
  ],
  ["--max-regulations <n>", "the most regulations in a plan of episodes (12; sampled: 40)", { read: whole(1) }],
  ["--max-actions <n>", "the most actions in an episode", { read: whole(1) }],
  [
    "--dwelling-factor <x>",
    "flights needed to regulate, as a part of the capacity (entrances_to_occupancy_dwelling_factor, 0.1)",
    { read: realNumber({ least: 0 }) },
  ],
  ["--max-removals <n>", "the most flows taken out again per regulation (1)", { read: whole(0) }],
  ["--reversal-ban <n>", "actions during which an added or removed flow stays as it is (0)", { read: whole(0) }],
  ["--hotspots <n>", "hotspots that episodes may pick from, the worst ones (16)", { read: whole(1) }],
  [
    "--stop <where>",
    "where episodes may end early: also at once, or after a regulation (committed)",
    { choices: stopPlaces },
  ],
  [
    "--exploration <x>",
    "weight of priors and visits against values (0.1; sampled: 1)",
    { read: realNumber({ least: 0 }) },
  ],
  ["--widening <b,f,e>", "a node visited N times opens b + f × N^e actions (4,1,0.7)", { read: numbers(3) }],
  ["--root-noise <s,c>", "share and concentration of noise in the root's priors (0.25,0.3)", { read: numbers(2) }],
  ["--phi <x>", "weight of potential-based shaping, 0 to 0.1 (0)", { read: realNumber({ least: 0 }) }],
  ["--back", "let episodes give up a hotspot that they picked"],
  ["--hotspot-temperature <x>", "above 1 picks hotspots more evenly (1)", { read: realNumber({ above: 0 }) }],
  ["--flow-temperature <x>", "above 1 adds flows more evenly (1)", { read: realNumber({ above: 0 }) }],
  ["--other-temperature <x>", "the same for all other actions (1)", { read: realNumber({ above: 0 }) }],
];

const stepwise: readonly OptionRow[] = [
  [
    "--async-commits [n]",
    "with exact rates: continue while up to n commits per tree are evaluated (8); shapes the answer",
    { read: whole(1, 1024) },
  ],
  ["--speculate <n>", "stepwise: search this many hotspots at once and apply one", { read: whole(2, 64) }],
  ["--commit-evaluations <n>", "stepwise: commits evaluated per regulation, over all trees (64)", { read: whole(1) }],
];

/** None of these changes the answer. */
function workers(): readonly OptionRow[] {
  return [
    [
      "--num-workers-root <n>",
      "searches at once (all cores for walkers, otherwise half of them, 1 to 4); never changes the answer",
      { env: "COPPICE_NUM_WORKERS_ROOT", read: whole(1, 1024) },
    ],
    [
      "--num-workers-rf <n>",
      "with exact rates: workers that score rates, for each search; 0 for none",
      { env: "COPPICE_NUM_WORKERS_RF", read: whole(0, 1024), usual: 0 },
    ],
    [
      "--parallel-backend <kind>",
      "whether workers are threads or processes (thread)",
      { env: "COPPICE_PARALLEL_BACKEND", choices: workerNames() },
    ],
    [
      "--max-tasks-in-flight <n>",
      "the most tasks handed to workers at once",
      { env: "COPPICE_MAX_TASKS_IN_FLIGHT", read: whole(1) },
    ],
    [
      "--progress-interval <time>",
      "how often progress is shown (100ms in a terminal, 5s otherwise)",
      { env: "COPPICE_PROGRESS_INTERVAL", read: durationMs },
    ],
  ];
}

/** Reads so many numbers, none below 0, separated by commas. */
function numbers(count: number): (text: string) => readonly number[] {
  const read = realNumber({ least: 0 });
  return (text) => {
    const parts = text.split(",");
    if (parts.length === count) return parts.map(read);
    throw new InvalidArgumentError(`It must be ${count} numbers separated by commas.`);
  };
}

/** Reads up to 32 prices separated by commas. */
function priceList(text: string): readonly number[] {
  const parts = text.split(",");
  if (parts.length > 32) throw new InvalidArgumentError("It must be 32 prices or fewer.");
  return parts.map(realNumber({ least: 0 }));
}

function partList(text: string): readonly string[] {
  return text.split(",").map((part) => part.trim());
}
