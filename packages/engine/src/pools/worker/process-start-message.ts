import type { WorkerJob } from "./worker-message.ts";

/** File descriptors a worker process inherits beside its standard three. */
export const descriptor = { tasks: 3, results: 4, lifeline: 5, currentTask: 6 } as const;

/** The first message to a worker process; shared arrays are copied, once. */
export interface ProcessStart {
  readonly job: Omit<WorkerJob, "shared">;
  readonly shared: Readonly<Record<string, Uint8Array>>;
  readonly runToken: string;
}
