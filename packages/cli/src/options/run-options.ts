import { join } from "node:path";
import { poolKinds } from "@coppice/engine/pools";
import type { Command } from "commander";
import { durationMs, wholeNumber, workerCount } from "./arguments.ts";
import { addOptions } from "./option-table.ts";

/** How commands name a run. */
export const RUN = "id of a run, or the path of its directory";

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
  /** Resume also with an evaluator that is different code now. */
  readonly acceptChanges?: boolean;
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
  return addOptions(command, [
    ["--run-dir <directory>", "where runs are kept", { usual: RUNS, env: "COPPICE_RUN_DIR" }],
  ]);
}

/** Adds `--json`. */
export function addJsonOption(command: Command, what = "one JSON document on standard output, nothing else"): Command {
  return addOptions(command, [["--json", what, { onBy: "COPPICE_JSON" }]]);
}

/** Adds what kinds of pools must know. */
export function addPoolSettings(command: Command): Command {
  for (const { flags, description, variable, check } of poolKinds().flatMap(({ settings = [] }) => settings)) {
    const read = (text: string): string => {
      check(text);
      process.env[variable] = text;
      return text;
    };
    addOptions(command, [[flags, `${description} (env: ${variable})`, { read }]]);
  }
  return command;
}

/** Adds `--workers`, `--pool` and what kinds of pools must know. */
export function addPoolOptions(command: Command): Command {
  return addOptions(addPoolSettings(command), [
    [
      "--workers <n>",
      "evaluations at once; auto is one per core",
      { read: workerCount, usual: "auto", env: "COPPICE_WORKERS" },
    ],
    [
      "--pool <kind>",
      "where evaluations run; inline cannot stop one that never ends",
      { choices: poolKinds().map(({ kind }) => kind), env: "COPPICE_POOL" },
    ],
  ]);
}

/** Adds what says how a run is worked on; for commands that start or continue one. */
export function addWorkOptions(command: Command): Command {
  addOptions(addPoolOptions(command), [
    [
      "--max-time <time>",
      "end the search after this time with what it knows; 0: no limit",
      { read: durationMs, env: "COPPICE_MAX_TIME" },
    ],
    ["--cache [file]", "reuse evaluations of earlier runs (.coppice/cache.sqlite)", { env: "COPPICE_CACHE" }],
    ["--durable", "sync the journal to disk before every single tell", { onBy: "COPPICE_DURABLE" }],
    ["--timers", "collect the evaluator's named timers", { onBy: "COPPICE_TIMERS" }],
    ["--quiet", "plain lines instead of the live display", { onBy: "COPPICE_QUIET" }],
  ]);
  return addPlaceOption(addJsonOption(command));
}

/** What shapes a run's answer; what is absent has the tool's default, then the engine's. */
interface ShapeOptions {
  readonly seed?: number;
  readonly lookahead?: number;
  readonly retries?: number;
  readonly timeout?: number;
  readonly onFailure?: "continue" | "stop";
}

/** Everything a command that starts a run is told. */
export interface RunOptions extends ShapeOptions, WorkOptions {
  readonly id?: string;
}

/** Adds the options of every command that starts a run; `seed` is what a tool starts with where it is not the engine's. */
export function addRunOptions(command: Command, seed?: number): Command {
  addOptions(command, [
    [
      "--seed <n>",
      `seed of all random numbers${seed === undefined ? " (0)" : ""}`,
      { read: wholeNumber(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER), usual: seed, env: "COPPICE_SEED" },
    ],
    [
      "--lookahead <n>",
      "how many asks may be unanswered at once (1024); shapes the answer",
      { read: wholeNumber(1, 1_000_000), env: "COPPICE_LOOKAHEAD" },
    ],
    [
      "--retries <n>",
      "further attempts after one that failed (0)",
      { read: wholeNumber(0, 1000), env: "COPPICE_RETRIES" },
    ],
    [
      "--timeout <time>",
      "time limit of one attempt: 500ms, 30s, 5m or plain seconds; 0 for none",
      { read: durationMs, env: "COPPICE_TIMEOUT" },
    ],
    [
      "--on-failure <policy>",
      "tell the search about a failed task, or stop the run",
      { choices: ["continue", "stop"], env: "COPPICE_ON_FAILURE" },
    ],
    ["--id <name>", "name of the run, instead of the next number"],
  ]);
  return addWorkOptions(command);
}

/** Ends a command's help with a line to type. */
export function withExample(command: Command, line: string): Command {
  return command.addHelpText("after", `\nExample:\n  $ ${line}\n`);
}

/** Does so for the commands below one, by name. A test finds those without a line. */
export function withExamples(parent: Command, lines: Readonly<Record<string, string | undefined>>): void {
  for (const command of parent.commands) {
    const line = lines[command.name()];
    if (line !== undefined) withExample(command, line);
  }
}
