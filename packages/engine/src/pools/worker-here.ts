import { processStart } from "../child-process/process-table.ts";
import type { PoolJob } from "../contract/pool.ts";
import { CurrentTask } from "./worker/current-task.ts";
import { TaskRunner } from "./worker/task-runner.ts";
import type { ToWorker } from "./worker/worker-message.ts";
import type { LinkEvents, WorkerLink } from "./worker-link.ts";

/** A worker in this process, on this thread: it can be told to stop, but not be made to. */
export function startHere(job: PoolJob, _mark: string, events: LinkEvents): WorkerLink {
  const current = new CurrentTask();
  let live = true;
  const end = (reason: string): void => {
    if (!live) return;
    live = false;
    setImmediate(() => events.ended({ reason }));
  };
  const runner = new TaskRunner(
    { ...job, shared: job.shared ?? {}, resources: job.resources ?? {} },
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
