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
}

/** URL of a worker's entry module beside this file, in the form this file itself is run in (source or build). */
export function moduleBeside(name: "thread-entry" | "process-entry" | "orphan-entry"): URL {
  const ending = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return new URL(`./${name}.${ending}`, import.meta.url);
}
