import type { PoolFactory, PoolJob } from "../contract/pool.ts";
import { processStart } from "../process-table/process-start.ts";
import { Crew } from "./crew.ts";
import { keepHotLoopsFast } from "./hot-loops.ts";
import { type CrewOptions, crewSettings } from "./pool-options.ts";
import { CurrentTask } from "./worker/current-task.ts";
import { TaskRunner } from "./worker/task-runner.ts";
import type { ToWorker } from "./worker/worker-message.ts";
import type { LinkEvents, WorkerLink } from "./worker-link.ts";

/**
 * The reference pool: one task at a time, in this process, everything encoded and decoded as everywhere else.
 * It cannot stop a busy loop (a timeout is noticed when the loop ends), survive a crash or catch what is printed.
 */
export function inline(options: Pick<CrewOptions, "chunk" | "maxInFlight" | "graceMs"> = {}): PoolFactory {
  const settings = crewSettings({ ...options, workers: 1 });
  const open: PoolFactory["open"] = (job, listener) => {
    keepHotLoopsFast();
    return new Crew("inline", settings, startHere, job, listener);
  };
  return { kind: "inline", workers: settings.workers, open };
}

function startHere(job: PoolJob, _mark: string, events: LinkEvents): WorkerLink {
  const current = new CurrentTask();
  let live = true;
  const end = (reason: string): void => {
    if (!live) return;
    live = false;
    setImmediate(() => events.ended({ reason }));
  };
  const runner = new TaskRunner(
    { ...job, shared: job.shared ?? {} },
    {
      post: (message) => live && events.message(message),
      markStart: (atMs) => current.start(atMs),
      ended: () => end("closed"),
    },
  );
  setImmediate(() => void runner.begin());
  return {
    pid: process.pid,
    pidStart: processStart(process.pid) ?? "",
    post: (message: ToWorker) => void setImmediate(() => runner.receive(message)),
    standing: () => current.standing(),
    kill: () => {
      runner.abandon();
      end("abandoned");
    },
  };
}
