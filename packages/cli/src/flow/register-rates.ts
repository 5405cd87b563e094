import { writeFileSync } from "node:fs";
import type { ControlMode, CrewRequest, DayChoice } from "@coppice/airspace";
import type { PriceChoice, Semantics } from "@coppice/airspace/answers";
import { onlyGiven } from "@coppice/engine/only-given";
import { type Command, InvalidArgumentError } from "commander";
import { realNumber, wholeNumber } from "../options/arguments.ts";
import { addOptions, type OptionRow } from "../options/option-table.ts";
import { checkOutput } from "../options/output-file.ts";
import { poolOfWorkers, workerNames } from "../options/pool-choice.ts";
import { notice, printAnswer, printJson } from "../print.ts";
import { withDay, withPrices } from "./day-options.ts";

/** No count here is sensibly larger. */
const MOST = 1_000_000;

interface RatesFlags extends DayChoice, PriceChoice {
  readonly volume?: string;
  readonly window?: string;
  readonly cases?: string;
  readonly semantics: Semantics;
  readonly mode: ControlMode | "both";
  readonly discovery?: string;
  readonly plan?: string;
  readonly grid?: readonly number[];
  readonly adaptive?: boolean;
  readonly passes?: number;
  readonly epsilon?: number;
  readonly maxEvaluations?: number;
  readonly cacheSize?: number;
  readonly numWorkersRf: number;
  readonly parallelBackend: string;
  readonly chunkSize?: number;
  readonly maxTasksInFlight?: number;
  readonly cache?: string;
  readonly savePlan?: string;
  readonly profile?: boolean;
  readonly json?: boolean;
}

/** Gives the command `rates` its options. */
export function registerRates(rates: Command): void {
  withPrices(withDay(rates)).description(
    "find the best rates for the flows of a hotspot, per flow and for all together",
  );
  addOptions(rates, [...what, ...how, ...workers()])
    .option("--json", "print data instead of text")
    .action(async (flags: RatesFlags) => {
      if (flags.grid?.length === 0 && flags.adaptive !== true) {
        throw new InvalidArgumentError(
          "--grid is empty: give rates such as inf,60,24, or --adaptive to have them chosen",
        );
      }
      if (flags.cases === undefined) await printRates(flags);
      else await printCases(flags.cases, flags);
    });
}

async function printRates(flags: RatesFlags): Promise<void> {
  const airspace = await import("@coppice/airspace/answers");
  checkOutput("--save-plan", flags.savePlan);
  const { lambda, mu, weights } = flags;
  const reference = flags.semantics === "reference";
  // A published search takes flows as they are given; the network's are those of the day.
  const day = airspace.openDay(reference ? { ...flags, flows: undefined } : flags);
  const report = await airspace.findRates(day, {
    volume: required("--volume <id>", flags.volume),
    window: required("--window <a-b>", flags.window),
    semantics: flags.semantics,
    modes: flags.mode === "both" ? ["per_flow", "blanket"] : [flags.mode],
    flowsFile: reference ? flags.flows : undefined,
    discovery: flags.discovery,
    instance: flags.instance,
    planFile: flags.plan,
    weights: onlyGiven({ lambda, mu, weights }),
    search: onlyGiven({
      rateGrid: flags.grid,
      adaptiveGrid: flags.adaptive,
      passes: flags.passes,
      epsilon: flags.epsilon,
      maxEvaluations: flags.maxEvaluations,
      cacheSize: flags.cacheSize,
    }),
    ...crewOf(flags),
  });
  if (flags.savePlan !== undefined) {
    writeFileSync(flags.savePlan, `${JSON.stringify(airspace.ratesPlan(report), null, 2)}\n`);
  }
  for (const line of report.notices) notice(line);
  printAnswer(flags.json, airspace.ratesJson(report), () => airspace.ratesText(report));
}

async function printCases(cases: string, flags: RatesFlags): Promise<void> {
  const airspace = await import("@coppice/airspace/answers");
  if (flags.semantics !== "reference") {
    throw new InvalidArgumentError("--cases: needs --semantics reference, whose numbers such files hold");
  }
  printJson(await airspace.findRateCases(airspace.openDay(flags), cases, crewOf(flags)));
}

function crewOf(flags: RatesFlags): CrewRequest {
  return {
    workers: flags.numWorkersRf,
    pool: poolOfWorkers(flags.parallelBackend),
    chunkSize: flags.chunkSize,
    maxTasksInFlight: flags.maxTasksInFlight,
    cacheFile: flags.cache,
    profile: flags.profile ?? false,
  };
}

function required(option: string, value: string | undefined): string {
  if (value === undefined) throw new InvalidArgumentError(`required option '${option}' not specified`);
  return value;
}

function readGrid(text: string): number[] {
  if (text.trim() === "") return [];
  return text.split(",").map((part) => {
    const rate = part.trim() === "inf" ? Number.POSITIVE_INFINITY : Number(part);
    if (part.trim() === "" || !(rate > 0)) {
      throw new InvalidArgumentError(`${JSON.stringify(part)} is not a rate; rates are above 0 per hour, or inf.`);
    }
    return rate;
  });
}

const count = wholeNumber(1, MOST);

const what: readonly OptionRow[] = [
  ["--volume <id>", "traffic volume to regulate"],
  ["--window <a-b>", "bins, the last one excluded (28-42), or UTC times on bin edges (07:00-10:30)"],
  [
    "--semantics <preset>",
    "the network's model, or the published planner's number for number",
    { choices: ["corrected", "reference"], usual: "corrected" },
  ],
  [
    "--mode <mode>",
    "a rate per flow, one for all, or both in turn",
    { choices: ["per_flow", "blanket", "both"], usual: "both" },
  ],
  ["--discovery <file>", "how flows are found, as JSON under the published names (reference semantics)"],
  ["--cases <file>", "run the searches that a published file lists, instead of --volume and --window"],
  ["--plan <file>", "regulations already decided; rates are found for the traffic they leave"],
];

const how: readonly OptionRow[] = [
  ["--grid <rates>", "rates per hour to try, in order, such as inf,60,24", { read: readGrid }],
  ["--adaptive", "also try rates suggested by demand and capacity"],
  ["--passes <n>", "the most sweeps over all flows", { read: count }],
  ["--epsilon <x>", "a sweep that gains less than this part of J is the last", { read: realNumber({ least: 0 }) }],
  ["--max-evaluations <n>", "evaluations after which no further flow is tried", { read: count }],
  ["--cache-size <n>", "how many scores are remembered", { read: count }],
];

/** What works on the rates, and what is written besides the answer. None of it changes what is found. */
function workers(): readonly OptionRow[] {
  return [
    [
      "--num-workers-rf <n>",
      "workers that score rates; 0 scores them in this process",
      { env: "COPPICE_NUM_WORKERS_RF", read: wholeNumber(0, 1024), usual: 0 },
    ],
    [
      "--parallel-backend <kind>",
      "whether workers are threads or processes",
      { env: "COPPICE_PARALLEL_BACKEND", choices: workerNames(), usual: "thread" },
    ],
    ["--chunk-size <n>", "rates per message to a worker", { env: "COPPICE_CHUNK_SIZE", read: count }],
    [
      "--max-tasks-in-flight <n>",
      "the most rates handed to workers at once",
      { env: "COPPICE_MAX_TASKS_IN_FLIGHT", read: count },
    ],
    ["--cache <file>", "keep scores there for later searches; never changes what is found"],
    ["--save-plan <file>", "write the better mode as a plan, after the regulations of --plan"],
    ["--profile", "print the share of each timer"],
  ];
}
