import type { Resources, TaskProgress } from "../contract/evaluator.ts";
import type { TimerTotals } from "../contract/event.ts";
import type { PoolJob } from "../contract/pool.ts";

/*
 * Messages are flat arrays: sixteen tasks as one flat array are copied between threads three times faster than as
 * sixteen objects, and every field is already text or a number.
 */

/** `["tasks", id, key, attempt, candidate, id, …]`: a chunk, run in this order. */
export type TasksMessage = ["tasks", ...(string | number)[]];

/** Fields per task in a {@link TasksMessage}. */
export const TASK_FIELDS = 4;

/** What a pool says to its worker. */
export type ToWorker =
  | TasksMessage
  /** The task is no longer wanted: skip it, or abort its signal if it runs. */
  | readonly ["abort", number]
  /** Finish the running task, skip the rest, tear down and end. */
  | readonly ["close"];

/** `["results", status, elapsedMs, text, …]`: one triple per task, in the order the tasks were handed over. */
export type ResultsMessage = ["results", ...(string | number)[]];

/** Fields per result in a {@link ResultsMessage}. */
export const RESULT_FIELDS = 3;

/**
 * What the text of a result is: the encoded value; a {@link FailureText}, of a task that failed by itself or after it was
 * told to stop; nothing, the task was not run.
 */
export const status = { value: 0, failure: 1, skipped: 2, failureWhenTold: 3 } as const;

/** A failed attempt as it crosses the boundary, as JSON. */
export interface FailureText {
  readonly type: string;
  readonly message: string;
  readonly stack?: string;
  readonly causes?: readonly string[];
  readonly data?: unknown;
}

/** What a worker says to its pool. */
export type FromWorker =
  | ResultsMessage
  /** The worker runs; loading the evaluator and its setup begin now. */
  | readonly ["booted"]
  | readonly ["ready"]
  /** The evaluator cannot be used: one line for people, and the stack of what was thrown. */
  | readonly ["broken", string, string]
  /** Last words: an uncaught error ends the worker, described like `broken`. */
  | readonly ["dying", string, string]
  | readonly ["progress", number, TaskProgress]
  /** A line, and the task that was running when it was printed. */
  | readonly ["log", string, number?]
  | readonly ["timers", TimerTotals];

/** What a worker is told once, before its first task. */
export interface WorkerJob {
  readonly evaluatorUrl: string;
  readonly context: string;
  readonly shared: Readonly<Record<string, SharedArrayBuffer>>;
  readonly resources: Resources;
  readonly seed: number;
  readonly maxValueBytes: number;
  readonly timers: boolean;
}

/** A job as bytes can carry it: shared arrays are copied. */
export interface CarriedJob {
  readonly job: Omit<WorkerJob, "shared">;
  readonly arrays: Readonly<Record<string, Uint8Array>>;
}

/** For a worker that has no memory in common with its pool. */
export function carriedJob(poolJob: PoolJob): CarriedJob {
  const { shared, ...job } = workerJob(poolJob);
  const arrays = Object.entries(shared).map(([name, buffer]) => [name, new Uint8Array(buffer).slice()] as const);
  return { job, arrays: Object.fromEntries(arrays) };
}

/** The job again, where it has arrived. */
export function arrivedJob({ job, arrays }: CarriedJob): WorkerJob {
  const shared = Object.entries(arrays).map(([name, bytes]) => {
    const buffer = new SharedArrayBuffer(bytes.byteLength);
    new Uint8Array(buffer).set(bytes);
    return [name, buffer] as const;
  });
  return { ...job, shared: Object.fromEntries(shared) };
}

/** What a pool's job has for its workers. */
export function workerJob(job: PoolJob): WorkerJob {
  const { evaluatorUrl, context, seed, maxValueBytes, timers, shared = {}, resources = {} } = job;
  return { evaluatorUrl, context, seed, maxValueBytes, timers, shared, resources };
}
