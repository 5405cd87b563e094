import { writeFileSync } from "node:fs";
import type { ControlMode, Instance } from "@coppice/airspace";
import { type Command, InvalidArgumentError, Option } from "commander";
import { wholeNumber } from "../options/whole-number.ts";
import { workerNames } from "../options/worker-names.ts";
import type { CrewRequest } from "../../../airspace/src/rate-search/rate-crew.ts";
import type { Semantics } from "../../../airspace/src/answers/find-rates.ts";
import { type WeightFlags, withWeights } from "./price-options.ts";

/** No count here is sensibly larger. */
const MOST = 1_000_000;

interface RatesFlags extends WeightFlags {
  readonly instance?: string;
  readonly volume?: string;
  readonly window?: string;
  readonly cases?: string;
  readonly semantics: Semantics;
  readonly mode: ControlMode | "both";
  readonly flows?: string;
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

/** Gives the command `rates` its options; `openDay` opens the day that the rest of its options name. */
export function registerRates(rates: Command, openDay: OpenDay): void {
  withWeights(rates)
    .description("find the best rates for the flows of a hotspot, per flow and for all together")
    .option("--volume <id>", "traffic volume to regulate")
    .option("--window <a-b>", "bins, the last one excluded (28-42), or UTC times on bin edges (07:00-10:30)")
    .addOption(
      new Option("--semantics <preset>", "the network's model, or the published planner's number for number")
        .choices(["corrected", "reference"])
        .default("corrected"),
    )
    .addOption(
      new Option("--mode <mode>", "a rate per flow, one for all, or both in turn")
        .choices(["per_flow", "blanket", "both"])
        .default("both"),
    )
    .option("--flows <file>", 'flows as JSON { "flow": ["flight", …] } (reference semantics)')
    .option("--discovery <file>", "how flows are found, as JSON under the published names (reference semantics)")
    .option("--cases <file>", "run the searches that a published file lists, instead of --volume and --window")
    .option("--plan <file>", "regulations already decided; rates are found for the traffic they leave")
    .option("--grid <rates>", "rates per hour to try, in order, such as inf,60,24", readGrid)
    .option("--adaptive", "also try rates suggested by demand and capacity")
    .option("--passes <n>", "sweeps over all flows", wholeNumber({ least: 1, most: MOST }))
    .option("--epsilon <x>", "a sweep that gains less than this part of J is the last", number(0))
    .option(
      "--max-evaluations <n>",
      "evaluations after which no further flow is tried",
      wholeNumber({ least: 1, most: MOST }),
    )
    .option("--cache-size <n>", "scores remembered", wholeNumber({ least: 1, most: MOST }))
    .addOption(
      new Option("--num-workers-rf <n>", "workers that score rates; 0 scores them in this process")
        .env("COPPICE_NUM_WORKERS_RF")
        .argParser(wholeNumber({ least: 0, most: 1024 }))
        .default(0),
    )
    .addOption(
      new Option("--parallel-backend <kind>", "what workers are")
        .env("COPPICE_PARALLEL_BACKEND")
        .choices(workerNames())
        .default("thread"),
    )
    .addOption(
      new Option("--chunk-size <n>", "rates per message to a worker")
        .env("COPPICE_CHUNK_SIZE")
        .argParser(wholeNumber({ least: 1, most: MOST })),
    )
    .addOption(
      new Option("--max-tasks-in-flight <n>", "most rates out at once")
        .env("COPPICE_MAX_TASKS_IN_FLIGHT")
        .argParser(wholeNumber({ least: 1, most: MOST })),
    )
    .option("--cache <file>", "keep scores there for later searches; never changes what is found")
    .option("--save-plan <file>", "write the better of the found modes as a plan, after that of --plan")
    .option("--profile", "print the share of each timer")
    .option("--json", "print data instead of text")
    .action(async (flags: RatesFlags) => {
      if (flags.grid?.length === 0 && flags.adaptive !== true) {
        throw new InvalidArgumentError(
          "--grid is empty: give rates such as inf,60,24, or --adaptive to have them chosen",
        );
      }
      if (flags.cases === undefined) await printRates(flags, openDay);
      else await printCases(flags.cases, flags, openDay);
    });
}

type OpenDay = (flags: object) => Instance | Promise<Instance>;

async function printRates(flags: RatesFlags, openDay: OpenDay): Promise<void> {
  const { findRates, ratesJson } = await import("../../../airspace/src/answers/find-rates.ts");
  const { ratesText } = await import("../../../airspace/src/answers/rates-text.ts");
  const { checkOutput } = await import("./output-file.ts");
  checkOutput("--save-plan", flags.savePlan);
  const { lambda, mu, weights } = flags;
  const report = await findRates(await openDay(flags), {
    volume: required("--volume <id>", flags.volume),
    window: required("--window <a-b>", flags.window),
    semantics: flags.semantics,
    modes: flags.mode === "both" ? ["per_flow", "blanket"] : [flags.mode],
    flowsFile: flags.flows,
    discoveryFile: flags.discovery ?? numbersFile(flags),
    planFile: flags.plan,
    weights: {
      ...(lambda === undefined ? {} : { lambda }),
      ...(mu === undefined ? {} : { mu }),
      ...(weights === undefined ? {} : { weights }),
    },
    search: {
      ...(flags.grid === undefined ? {} : { rateGrid: flags.grid }),
      ...(flags.adaptive === undefined ? {} : { adaptiveGrid: flags.adaptive }),
      ...(flags.passes === undefined ? {} : { passes: flags.passes }),
      ...(flags.epsilon === undefined ? {} : { epsilon: flags.epsilon }),
      ...(flags.maxEvaluations === undefined ? {} : { maxEvaluations: flags.maxEvaluations }),
      ...(flags.cacheSize === undefined ? {} : { cacheSize: flags.cacheSize }),
    },
    ...crewOf(flags),
  });
  if (flags.savePlan !== undefined) {
    const { ratesPlan } = await import("../../../airspace/src/answers/found-plan.ts");
    writeFileSync(flags.savePlan, `${JSON.stringify(ratesPlan(report), null, 2)}\n`);
  }
  for (const notice of report.notices) process.stderr.write(`coppice: ${notice}\n`);
  process.stdout.write(flags.json ? `${JSON.stringify(ratesJson(report), null, 2)}\n` : ratesText(report));
}

async function printCases(cases: string, flags: RatesFlags, openDay: OpenDay): Promise<void> {
  const { findRateCases } = await import("../../../airspace/src/answers/find-rates.ts");
  if (flags.semantics !== "reference") {
    throw new InvalidArgumentError("--cases: needs --semantics reference, whose numbers such files hold");
  }
  const found = await findRateCases(await openDay(flags), cases, crewOf(flags));
  process.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
}

function crewOf(flags: RatesFlags): CrewRequest {
  return {
    workers: flags.numWorkersRf,
    backend: flags.parallelBackend,
    chunkSize: flags.chunkSize,
    maxTasksInFlight: flags.maxTasksInFlight,
    cacheFile: flags.cache,
    profile: flags.profile ?? false,
  };
}

/** A file of reference numbers says itself how its flows were found. */
function numbersFile({ semantics, instance }: RatesFlags): string | undefined {
  return semantics === "reference" && instance?.endsWith(".json") ? instance : undefined;
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

function number(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === "" || !(value >= least))
      throw new InvalidArgumentError(`It must be a number from ${least} on.`);
    return value;
  };
}
