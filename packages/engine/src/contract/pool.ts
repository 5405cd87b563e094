import type { Resources, TaskProgress } from "./evaluator.ts";
import type { TimerTotals } from "./event.ts";
import type { Failure } from "./outcome.ts";

/** A module by names that mean something on another machine. */
export interface EvaluatorName {
  /** The package it is in; absent when it is in none. */
  readonly package?: string;
  /** The subpath under which its package exports it (`./evaluator`), if it does. */
  readonly export?: string;
  /** Where it is in its package; without one, as seen from the coordinator's working directory. */
  readonly path: string;
  /** SHA-256 in hex over its code and all it loads. */
  readonly hash: string;
}

/** What evaluations read of the coordinator's disk by its path. */
export interface DiskNeeds {
  readonly folders: readonly string[];
  /** SHA-256 in hex of each file, by its path. */
  readonly files: Readonly<Record<string, string>>;
}

/** What every worker of a pool needs, sent once at its start. */
export interface PoolJob {
  /** `file:` URL of the evaluator module, on the coordinator's machine. */
  readonly evaluatorUrl: string;
  /** The same module for workers on other machines; `start` always has it. Reads all the code, so that it is called once. */
  readonly evaluatorName?: () => EvaluatorName;
  /** What workers on other machines must have on their disks. */
  readonly disk?: () => DiskNeeds;
  /** Encoded context (see `encode`); decoded in each worker. SharedArrayBuffers do not fit here: use `shared`. */
  readonly context: string;
  /** Named read-only arrays, shared between threads without a copy; copied once per worker elsewhere. */
  readonly shared?: Readonly<Record<string, SharedArrayBuffer>>;
  /** Given to `setup` beside the context, but no part of what values depend on. */
  readonly resources?: Resources;
  /** Seed of the run; `task.seed` derives from it and the key. */
  readonly seed: number;
  readonly setupTimeoutMs: number;
  /** Encoded values longer than this are refused in the worker. */
  readonly maxValueBytes: number;
  /** Collect named timers in the workers. */
  readonly timers: boolean;
  /** Environment mark of everything this run starts, so that escaped grandchildren can be found. */
  readonly runToken: string;
}

/** One attempt at one evaluation, as the driver hands it over. Everything is already text. */
export interface PoolTask {
  /** Unique among unsettled tasks; lower ids are dispatched first. */
  readonly id: number;
  readonly key: string;
  /** The encoded candidate. */
  readonly candidate: string;
  readonly attempt: number;
  /** Wall-clock limit of the attempt; 0 for none. */
  readonly timeoutMs: number;
}

/** A worker as people and journals know it. */
export interface WorkerIdentity {
  readonly worker: number;
  readonly pid: number;
  /** When the process started, in the platform's own terms; tells a recycled pid from the same process. */
  readonly pidStart: string;
  /** Name of its machine, where that is not the coordinator's. */
  readonly host?: string;
}

/** What people may read about a failed attempt; never seen by the search. */
export interface FailureDetail {
  readonly stack?: string;
  /** Messages of the cause chain, outermost first. */
  readonly causes?: readonly string[];
  readonly timedOut: boolean;
  /** The worker died under the task (three times, if this settles it). */
  readonly workerLost: boolean;
  readonly exitCode?: number;
  readonly signal?: string;
  /** Last lines the worker printed or logged. */
  readonly logTail?: readonly string[];
  /** The thrown error's own `data`, if it is plain JSON; of more than 64 KiB only `cutBytes`, how much it was. */
  readonly data?: unknown;
}

/** How one attempt ended: a value as text, or a failure. */
export type PoolResult =
  | {
      readonly id: number;
      readonly worker: number;
      readonly elapsedMs: number;
      readonly ok: true;
      readonly encoded: string;
    }
  | {
      readonly id: number;
      readonly worker: number;
      readonly elapsedMs: number;
      readonly ok: false;
      readonly failure: Failure;
      readonly detail: FailureDetail;
    };

/**
 * What a pool tells its owner. Called synchronously from the pool's event handlers, never from inside `submit`,
 * `abort` or `close`. Every task ends exactly once: in `settled`, or, when it was aborted, in `aborted` — unless its
 * value arrived all the same, which is then settled (paid work is not thrown away). A failure after an abort is not a result.
 */
export interface PoolListener {
  /** A chunk was handed to a worker. */
  started(worker: WorkerIdentity, ids: readonly number[]): void;
  /** Every result that arrived together, in no particular order. */
  settled(results: readonly PoolResult[]): void;
  /** Back in the queue after its worker died or was replaced; `loss` counts deaths that are this task's own (0: a chunk-mate's). */
  requeued(id: number, loss: number, reason: string): void;
  /** An aborted task is gone: it was still queued, or its work has been stopped. */
  aborted(id: number): void;
  progress(id: number, progress: TaskProgress): void;
  /** A worker printed a line; `id` is the task it was at, where that is known. */
  log(worker: number, line: string, id?: number): void;
  /** A worker changed state; `reason` says why it ended. */
  worker(identity: WorkerIdentity, state: "ready" | "ended", reason?: string): void;
  /** What the worker's named timers collected since the last call. */
  timers(worker: number, totals: TimerTotals): void;
  /** Something for people that concerns no single task or worker. */
  note?(message: string): void;
  /** The pool cannot go on: module missing, wrong exports, setup failed or timed out. Nothing is settled after this. */
  broken(error: Error): void;
}

/** Evaluates tasks somewhere. Owns workers; knows nothing of searches, journals or retries. */
export interface Pool {
  readonly kind: string;
  readonly workers: number;
  /** The most tasks the owner may have unsettled here (back-pressure): `submit` beyond it throws. */
  readonly maxInFlight: number;
  /** Queues a task. Dispatch happens once per turn of the event loop, lowest id first. */
  submit(task: PoolTask): void;
  /** Takes the task out of the queue, or stops its work if it is running; `aborted` (or a late value) follows. Unknown ids are ignored. */
  abort(id: number): void;
  /** Lets running tasks finish for `deadlineMs`, then ends everything; queued tasks are forgotten. Idempotent. */
  close(deadlineMs: number): Promise<void>;
}

/** Makes a pool for one run. `threads({ workers: 4 })` and friends return one of these. */
export interface PoolFactory {
  readonly kind: string;
  /** How many workers its pool will have, if that is known before it is opened. */
  readonly workers?: number;
  /** Said at the start of a run that limits an evaluation's time, where the pool cannot enforce it. */
  readonly timeLimitNote?: string;
  readonly open: (job: PoolJob, listener: PoolListener) => Pool;
}
