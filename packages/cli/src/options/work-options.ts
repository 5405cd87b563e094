import { join } from "node:path";
import { poolKinds } from "@coppice/engine/pools";
import { type Command, Option } from "commander";
import { durationMs } from "./duration.ts";
import { switchOption } from "./switch.ts";
import { workerCount } from "./workers.ts";

/** Where runs live unless the user says otherwise; the same as the engine's, which is not loaded to print help. */
const RUNS = join(".coppice", "runs");

/** How a run is worked on. None of these changes its answer, except that a time limit may end it early. */
export interface WorkOptions extends PlaceOptions {
  readonly workers: number | "auto";
  /** Name of a kind of pool. */
  readonly pool?: string;
  readonly maxTime?: number;
  /** A file, or true for the usual one. */
  readonly cache?: string | true;
  /** US dollars; for runs that ask models. */
  readonly maxCost?: number;
  readonly durable?: boolean;
  readonly timers?: boolean;
  readonly quiet?: boolean;
  /** Most tasks handed to workers at once; the pool's own number if absent. */
  readonly maxTasksInFlight?: number;
  /** Milliseconds between two displays of progress; the display's own if absent. */
  readonly progressInterval?: number;
  readonly json?: boolean;
}

export interface PlaceOptions {
  readonly runDir: string;
}

/** Adds `--run-dir`. */
export function addPlaceOption(command: Command): Command {
  return command.addOption(
    new Option("--run-dir <directory>", "where runs are kept").default(RUNS).env("COPPICE_RUN_DIR"),
  );
}

/** Adds `--json`. */
export function addJsonOption(command: Command): Command {
  return command.addOption(
    switchOption("--json", "one JSON document on standard output, nothing else", "COPPICE_JSON"),
  );
}

/** Adds `--workers` and `--pool`. */
export function addPoolOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--workers <n>", "evaluations at once; auto is one per core")
        .argParser(workerCount)
        .default("auto")
        .env("COPPICE_WORKERS"),
    )
    .addOption(
      new Option("--pool <kind>", "where evaluations run")
        .choices(poolKinds().map(({ kind }) => kind))
        .env("COPPICE_POOL"),
    );
}

/** Adds what says how a run is worked on; for commands that start or continue one. */
export function addWorkOptions(command: Command): Command {
  addPoolOptions(command)
    .addOption(
      new Option("--max-time <time>", "end the search after this time with what it knows")
        .argParser(durationMs)
        .env("COPPICE_MAX_TIME"),
    )
    .addOption(
      new Option("--cache [file]", "reuse evaluations of earlier runs (.coppice/cache.sqlite)").env("COPPICE_CACHE"),
    )
    .addOption(switchOption("--durable", "sync the journal to disk before every single tell", "COPPICE_DURABLE"))
    .addOption(switchOption("--timers", "collect the evaluator's named timers", "COPPICE_TIMERS"))
    .addOption(switchOption("--quiet", "plain lines instead of the live display", "COPPICE_QUIET"));
  return addPlaceOption(addJsonOption(command));
}
