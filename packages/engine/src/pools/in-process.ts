import { AsyncLocalStorage } from "node:async_hooks";
import { processStart } from "../child-process/process-table.ts";
import type { PoolFactory, PoolJob } from "../contract/pool.ts";
import { WAITING_LIMIT } from "../cores/core-budget.ts";
import { CurrentTask } from "../worker/current-task.ts";
import { TaskRunner } from "../worker/task-runner.ts";
import type { LinkEvents, StartWorker, WorkerLink } from "../worker/worker-link.ts";
import { workerJob } from "../worker/worker-message.ts";
import { crewPool } from "./crew/crew.ts";
import { keepHotLoopsFast } from "./hot-loops.ts";
import type { CrewOptions } from "./pool-options.ts";

/**
 * The reference pool: one task at a time, in this process, everything encoded and decoded as everywhere else.
 * It cannot stop a busy loop (a timeout is noticed when the loop ends), survive a crash or catch what is printed.
 */
export function inline(options: Pick<CrewOptions, "chunk" | "ahead" | "maxInFlight" | "graceMs"> = {}): PoolFactory {
  const start: StartWorker = (job, mark, events) => {
    keepHotLoopsFast();
    return startHere(job, mark, events);
  };
  return {
    ...crewPool("inline", { ...options, workers: 1 }, start),
    timeLimitNote:
      "the pool inline cannot stop an evaluation that never ends: the time limit is noticed when it ends or waits; threads and processes stop it",
  };
}

/**
 * For work that waits (networks, models, other programs): many tasks at once on this process's own thread. A worker is a
 * place in line, not a core; `"auto"` is 50. No task is put behind another that may wait long. Like `inline` it cannot
 * stop a busy loop, survive a crash or catch what is printed.
 */
export function concurrent(
  options: Pick<CrewOptions, "workers" | "chunk" | "maxInFlight" | "graceMs"> = {},
): PoolFactory {
  const { workers = "auto", ...others } = options;
  const places = workers === "auto" ? WAITING_LIMIT : workers;
  return crewPool("concurrent", { chunk: 1, ...others, workers: places, ahead: false, oversubscribe: true }, startHere);
}

/** Whether the running code is an evaluator's, through any number of awaits. */
const evaluating = new AsyncLocalStorage<true>();
let exitIsGuarded = false;

/** An evaluator of this process that exits would end the run without a word: there it is an error like any other. */
function guardExit(): void {
  if (exitIsGuarded) return;
  exitIsGuarded = true;
  const exit = process.exit.bind(process);
  process.exit = (code) => {
    if (evaluating.getStore() === undefined) return exit(code);
    const error = new Error(
      `process.exit(${code ?? ""}) in an evaluator: it shares the process with the whole run; throw an error instead, or use another pool`,
    );
    error.name = "EvaluatorExit";
    throw error;
  };
}

/** A worker in this process, on this thread: it can be told to stop, but not be made to. */
function startHere(job: PoolJob, _mark: string, events: LinkEvents): WorkerLink {
  const current = new CurrentTask();
  let live = true;
  const end = (reason: string): void => {
    if (!live) return;
    live = false;
    evaluating.exit(() => setImmediate(() => events.ended({ reason })));
  };
  const runner = new TaskRunner(workerJob(job), {
    // What is made of it (a display that nobody reads, say) is not the evaluator's doing.
    post: (message) => live && evaluating.exit(() => events.message(message)),
    markStart: (atMs) => current.start(atMs),
    ended: () => end("closed"),
  });
  guardExit();
  setImmediate(() => evaluating.run(true, () => void runner.begin()));
  return {
    pid: process.pid,
    pidStart: processStart(process.pid) ?? "",
    sameThread: true,
    post: (message) => void setImmediate(() => evaluating.run(true, () => runner.receive(message))),
    lastStart: () => current.lastStart(),
    kill: () => {
      runner.abandon();
      end("abandoned");
    },
  };
}
