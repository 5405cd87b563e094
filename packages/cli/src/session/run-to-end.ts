import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  type JournalOptions,
  ReplayMismatch,
  type ResumePlan,
  type Run,
  type RunDone,
  type RunEnd,
  type RunFile,
  SearchError,
  type StartOptions,
  start,
} from "@coppice/engine";
import { openDisplay } from "../display/display.ts";
import { chosenPool } from "../options/pool.ts";
import type { RunOptions, ShapeOptions } from "../options/shape-options.ts";
import type { WorkOptions } from "../options/work-options.ts";
import type { PlannedRun } from "../tools/planned-run.ts";
import { openSessionCache } from "./cache-file.ts";
import { PatientDisplay } from "./patient-display.ts";
import { reserveDirectory } from "./reserved-directory.ts";
import { interruptOnSignal } from "./signals.ts";

/** Who starts a run, and what it needs to prepare it again. */
export interface ToolRecord {
  /** Name under which `tools/rebuild.ts` knows it. */
  readonly tool: string;
  /** Plain JSON; goes into `run.json`. */
  readonly options: unknown;
}

/** How a session of a run ended. A run that came to nothing is an error that is thrown instead. */
export interface EndedSession<Result> {
  readonly id: string;
  readonly directory: string;
  /** What the journal had, if the run was resumed. */
  readonly resumed: ResumePlan | undefined;
  readonly end: EndedRun<Result>;
}

export type EndedRun<Result> =
  | ({ readonly state: "done" } & RunDone<Result>)
  | (Exclude<RunEnd, { state: "done" }> & {
      /** False when trying again would end the same way. */
      readonly resumable: boolean;
    });

type Planned<Result> = PlannedRun<unknown, unknown, Result>;

/** Starts a new run and shows it live to its end. `record` may depend on the directory the run is given. */
export async function startToEnd<Result>(
  planned: Planned<Result>,
  record: (directory: string) => ToolRecord,
  options: RunOptions,
): Promise<EndedSession<Result>> {
  const pool = await chosenPool(options);
  const reserved = reserveDirectory(options.runDir, options.id);
  try {
    const journal = { directory: reserved.directory, ...record(reserved.directory) };
    return await toEnd(planned, { ...shapeOf(options), pool }, journal, options);
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
): Promise<EndedSession<Result>> {
  const { seed, lookahead, retries, timeoutMs, onFailure, tool } = file;
  const pool = await chosenPool(options, file);
  const journal = { directory, resume: true, tool, options: file.options };
  return toEnd(planned, { seed, lookahead, retries, timeoutMs, onFailure, pool }, journal, options);
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
): Promise<EndedSession<Result>> {
  const cache = openSessionCache(work.cache);
  try {
    const { search, evaluator, context, shared, inputs, impure } = planned;
    planned.before?.(journal.directory, work);
    const run = await start({
      search,
      evaluator,
      ...(context === undefined ? {} : { context }),
      ...(shared === undefined ? {} : { shared }),
      ...(impure === undefined ? {} : { impure }),
      ...settings,
      ...(work.maxTime === undefined ? {} : { maxTimeMs: work.maxTime }),
      ...(cache === undefined ? {} : { cache: cache.cache }),
      timers: work.timers ?? false,
      journal: {
        ...journal,
        ...(work.durable === true ? { durable: "strict" } : {}),
        ...(inputs === undefined ? {} : { inputs }),
      },
    });
    planned.begun?.(run, journal.directory, work);
    return await follow(run, journal.directory, work);
  } finally {
    await planned.over?.();
    cache?.close();
    if (!existsSync(join(journal.directory, "run.json"))) cache?.giveBack();
  }
}

async function follow<Result>(
  run: Run<Result>,
  directory: string,
  { quiet = false, progressInterval }: WorkOptions,
): Promise<EndedSession<Result>> {
  const stopListening = interruptOnSignal(run.interrupt);
  const display = new PatientDisplay(() =>
    openDisplay({
      terminal: process.stderr,
      quiet,
      environment: process.env,
      ...(progressInterval === undefined ? {} : { everyMs: progressInterval }),
    }),
  );
  let resumed: ResumePlan | undefined;
  let end: RunEnd | undefined;
  run.subscribe((event) => {
    if (event.type === "resumed") resumed = event.plan;
    if (event.type === "finished") end = event.end;
    display.see(event);
  });
  const session = (ended: EndedRun<Result>) => ({ id: run.id, directory, resumed, end: ended });
  try {
    const done = await run.finished;
    await display.close();
    return session({ state: "done", ...done });
  } catch (error) {
    // Nothing was kept: there is nothing to continue, and the error says why.
    if (end === undefined || end.state === "done" || !existsSync(directory)) {
      display.giveUp();
      throw error;
    }
    await display.close();
    return session({ ...end, resumable: !(error instanceof ReplayMismatch || error instanceof SearchError) });
  } finally {
    stopListening();
  }
}
