import { type Command, Option } from "commander";
import { durationMs } from "./duration.ts";
import { wholeNumber } from "./whole-number.ts";
import { addWorkOptions, type WorkOptions } from "./work-options.ts";

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

/** Adds the options of every command that starts a run; `usual` has what a tool starts with where it is not the engine's. */
export function addRunOptions(command: Command, usual: Pick<ShapeOptions, "seed" | "onFailure"> = {}): Command {
  const seed = new Option("--seed <n>", `of all random numbers${usual.seed === undefined ? " (0)" : ""}`)
    .argParser(wholeNumber({ least: Number.MIN_SAFE_INTEGER, most: Number.MAX_SAFE_INTEGER }))
    .env("COPPICE_SEED");
  const onFailure = new Option("--on-failure <policy>", "tell the search of a failed task, or stop the run")
    .choices(["continue", "stop"])
    .env("COPPICE_ON_FAILURE");
  if (usual.seed !== undefined) seed.default(usual.seed);
  if (usual.onFailure !== undefined) onFailure.default(usual.onFailure);
  command
    .addOption(seed)
    .addOption(
      new Option("--lookahead <n>", "asks that may be unanswered (1024); shapes the answer")
        .argParser(wholeNumber({ least: 1, most: 1_000_000 }))
        .env("COPPICE_LOOKAHEAD"),
    )
    .addOption(
      new Option("--retries <n>", "attempts after the first that failed (0)")
        .argParser(wholeNumber({ least: 0, most: 1000 }))
        .env("COPPICE_RETRIES"),
    )
    .addOption(
      new Option("--timeout <time>", "limit of one attempt: 500ms, 30s, 5m; plain seconds; 0 is none")
        .argParser(durationMs)
        .env("COPPICE_TIMEOUT"),
    )
    .addOption(onFailure)
    .option("--id <name>", "name of the run, instead of the next number");
  return addWorkOptions(command);
}
