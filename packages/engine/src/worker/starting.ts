import type { CarriedJob, WorkerJob } from "./worker-message.ts";

/** What a thread is started with. */
export interface ThreadStart {
  readonly job: WorkerJob;
  readonly current: SharedArrayBuffer;
  /** The pauses of the process that it runs in. */
  readonly awake: SharedArrayBuffer;
}

/** File descriptors a worker process inherits beside its standard three. */
export const descriptor = { tasks: 3, results: 4, lifeline: 5, currentTask: 6 } as const;

/** The first message to a worker process. */
export interface ProcessStart extends CarriedJob {
  readonly runToken: string;
  /** What the worker is to carry in its limits. */
  readonly limitMark: string;
}

/** The modules that workers, and those who look after orphans, start with. */
export const workerEntry = {
  thread: new URL("./thread-entry.ts", import.meta.url),
  process: new URL("./process-entry.ts", import.meta.url),
  orphan: new URL("./orphan-entry.ts", import.meta.url),
} as const;
