import { processStart } from "../child-process/process-table.ts";
import type { PoolFactory, PoolJob } from "../contract/pool.ts";
import { waitingWorkers } from "../cores/core-budget.ts";
import { CurrentTask } from "../worker/current-task.ts";
import { TaskRunner } from "../worker/task-runner.ts";
import type { LinkEvents, WorkerLink } from "../worker/worker-link.ts";
import { workerJob } from "../worker/worker-message.ts";
import { crewPool } from "./crew/crew.ts";
import { keepHotLoopsFast } from "./hot-loops.ts";
import type { CrewOptions } from "./pool-options.ts";

/**
 * The reference pool: one task at a time, in this process, everything encoded and decoded as everywhere else.
 * It cannot stop a busy loop (a timeout is noticed when the loop ends), survive a crash or catch what is printed.
 */
export function inline(options: Pick<CrewOptions, "chunk" | "ahead" | "maxInFlight" | "graceMs"> = {}): PoolFactory {
  const { open, ...pool } = crewPool("inline", { ...options, workers: 1 }, startHere);
  return {
    ...pool,
    open: (job, listener) => {
      keepHotLoopsFast();
      return open(job, listener);
    },
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
  const places = workers === "auto" ? waitingWorkers(Number.POSITIVE_INFINITY) : workers;
  return crewPool("concurrent", { chunk: 1, ...others, workers: places, ahead: false, oversubscribe: true }, startHere);
}

/** A worker in this process, on this thread: it can be told to stop, but not be made to. */
function startHere(job: PoolJob, _mark: string, events: LinkEvents): WorkerLink {
  const current = new CurrentTask();
  let live = true;
  const end = (reason: string): void => {
    if (!live) return;
    live = false;
    setImmediate(() => events.ended({ reason }));
  };
  const runner = new TaskRunner(workerJob(job), {
    post: (message) => live && events.message(message),
    markStart: (atMs) => current.start(atMs),
    ended: () => end("closed"),
  });
  setImmediate(() => void runner.begin());
  return {
    pid: process.pid,
    pidStart: processStart(process.pid) ?? "",
    sameThread: true,
    post: (message) => void setImmediate(() => runner.receive(message)),
    lastStart: () => current.lastStart(),
    kill: () => {
      runner.abandon();
      end("abandoned");
    },
  };
}
