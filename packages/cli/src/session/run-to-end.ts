import { existsSync } from "node:fs";
import {
  type JournalOptions,
  ReplayMismatch,
  type ResumePlan,
  type Run,
  type RunEnd,
  type RunFile,
  SearchError,
  type StartOptions,
  start,
} from "@coppice/engine";
import { openDisplay } from "../display/display.ts";
import { exitCode } from "../exit-code.ts";
import { poolOf } from "../options/pool.ts";
import type { RunOptions, ShapeOptions } from "../options/shape-options.ts";
import { type PoolKind, poolKinds, type WorkOptions } from "../options/work-options.ts";
import type { PlannedRun } from "../tools/planned-run.ts";
import { cacheOf, closeCache } from "./cache-file.ts";
import { PatientDisplay } from "./patient-display.ts";
import { printDone, printNotDone } from "./print-end.ts";
import { reserveDirectory } from "./reserved-directory.ts";
import { resumeCommand } from "./resume-command.ts";
import { interruptOnSignal } from "./signals.ts";

/** Who starts a run, and what it needs to prepare it again. */
export interface ToolRecord {
  /** Name under which `tools/rebuild.ts` knows it. */
  readonly tool: string;
  /** Plain JSON; goes into `run.json`. */
  readonly options: unknown;
}

type Planned<Result> = PlannedRun<unknown, unknown, Result>;

/**
 * Starts a new run, shows it live, and prints its result. Sets the exit code. `record` may depend on the directory the
 * run is given.
 */
export async function startToEnd<Result>(
  planned: Planned<Result>,
  record: (directory: string) => ToolRecord,
  options: RunOptions,
): Promise<void> {
  const pool = poolOf(options);
  const reserved = reserveDirectory(options.runDir, options.id);
  try {
    const journal = { directory: reserved.directory, ...record(reserved.directory) };
    await toEnd(planned, { ...shapeOf(options), pool }, journal, options);
  } finally {
    reserved.giveBack();
  }
}

/** Continues a recorded run as it was started; only how it is worked on may be new. */
export async function resumeToEnd<Result>(
  planned: Planned<Result>,
  file: RunFile,
  directory: string,
  options: WorkOptions,
): Promise<void> {
  const { seed, lookahead, retries, timeoutMs, onFailure, tool } = file;
  const pool = poolOf(options, poolKinds.find((kind) => kind === file.pool.kind) satisfies PoolKind | undefined);
  const journal = { directory, resume: true, tool, options: file.options };
  await toEnd(planned, { seed, lookahead, retries, timeoutMs, onFailure, pool }, journal, options);
}

type Settings = Pick<
  StartOptions<unknown, unknown, unknown>,
  "seed" | "lookahead" | "retries" | "timeoutMs" | "onFailure" | "pool"
>;

function shapeOf({ seed, lookahead, retries, timeout, onFailure }: ShapeOptions): Settings {
  return {
    ...(seed === undefined ? {} : { seed }),
    ...(lookahead === undefined ? {} : { lookahead }),
    ...(retries === undefined ? {} : { retries }),
    ...(timeout === undefined ? {} : { timeoutMs: timeout }),
    ...(onFailure === undefined ? {} : { onFailure }),
  };
}

async function toEnd<Result>(
  planned: Planned<Result>,
  settings: Settings,
  journal: JournalOptions,
  work: WorkOptions,
): Promise<void> {
  const cache = cacheOf(work.cache);
  try {
    const { search, evaluator, context, shared, inputs } = planned;
    const run = await start({
      search,
      evaluator,
      ...(context === undefined ? {} : { context }),
      ...(shared === undefined ? {} : { shared }),
      ...settings,
      ...(work.maxTime === undefined ? {} : { maxTimeMs: work.maxTime }),
      ...(cache === undefined ? {} : { cache }),
      timers: work.timers ?? false,
      journal: {
        ...journal,
        ...(work.durable === true ? { durable: "strict" } : {}),
        ...(inputs === undefined ? {} : { inputs }),
      },
    });
    await follow(run, planned, journal.directory, work);
  } finally {
    closeCache(cache);
  }
}

async function follow<Result>(
  run: Run<Result>,
  planned: Planned<Result>,
  directory: string,
  work: WorkOptions,
): Promise<void> {
  const json = work.json ?? false;
  const stopListening = interruptOnSignal(run.interrupt);
  const display = new PatientDisplay(() =>
    openDisplay({ terminal: process.stderr, quiet: work.quiet ?? false, environment: process.env }),
  );
  let resumed: ResumePlan | undefined;
  let end: RunEnd | undefined;
  run.subscribe((event) => {
    if (event.type === "resumed") resumed = event.plan;
    if (event.type === "finished") end = event.end;
    display.see(event);
  });
  const session = () => ({ id: run.id, directory, resumed });
  try {
    const done = await run.finished;
    await display.close();
    printDone(session(), done, { json, describe: planned.describe?.bind(planned) });
  } catch (error) {
    // Nothing was kept: there is nothing to continue, and the error says why.
    if (end === undefined || end.state === "done" || !existsSync(directory)) {
      display.giveUp();
      throw error;
    }
    await display.close();
    printNotDone(session(), end, json, isLasting(error) ? undefined : resumeCommand(directory));
    process.exitCode = end.state === "interrupted" ? exitCode.interrupted : exitCode.failed;
  } finally {
    stopListening();
  }
}

/** Trying again would end the same way. */
function isLasting(error: unknown): boolean {
  return error instanceof ReplayMismatch || error instanceof SearchError;
}
