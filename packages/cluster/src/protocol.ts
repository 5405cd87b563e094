import type { TimerTotals } from "@coppice/engine";
import type { Resources, TaskProgress } from "@coppice/engine/evaluator";
import type { DiskNeeds, EvaluatorName, PoolResult } from "@coppice/engine/pools";

/** Changes with everything below: who speaks another one is not worked with. */
export const PROTOCOL = 1;

/** What a run is called in Redis. */
export const RUN_ID = /^[0-9a-f]{16}$/;

/** Texts longer than this go by reference: a queue is for short things. */
export const LONG_BYTES = 256 * 1024;

/** A text itself, or the hash it is found under. */
export type Carried = string | { readonly blob: string };

/** What a worker must know of a run before it can take part. Whoever reads it need not trust it. */
export interface RunDescription {
  readonly protocol: number;
  readonly runToken: string;
  /** Where the evaluator is on the coordinator's machine, for messages; where it has no name, for workers there too. */
  readonly evaluatorUrl: string;
  readonly evaluatorName?: EvaluatorName;
  readonly disk?: DiskNeeds;
  readonly context: Carried;
  /** SHA-256 and length of each shared array. */
  readonly arrays: Readonly<Record<string, { readonly blob: string; readonly bytes: number }>>;
  readonly resources: Resources;
  readonly seed: number;
  readonly setupTimeoutMs: number;
  readonly maxValueBytes: number;
  readonly timers: boolean;
  readonly chunk: number | "auto";
  readonly graceMs: number;
  readonly memoryMb?: number;
}

/** A place in a run, waiting for a worker to take it: one job of the common queue. */
export interface SeatData {
  readonly protocol: number;
  readonly run: string;
  readonly seat: number;
}

/** Tasks that travel together: one job of the run's own queue. `id, key, attempt, timeoutMs, candidate` of each. */
export interface ChunkData {
  readonly tasks: readonly (readonly [number, string, number, number, Carried])[];
}

/** A result whose value may have gone by reference. */
export type CarriedResult =
  | Extract<PoolResult, { ok: false }>
  | (Omit<Extract<PoolResult, { ok: true }>, "encoded"> & { readonly encoded: Carried });

/** What a worker's own pool said to it, passed on, and what the worker says of itself. */
export type Report =
  | readonly ["started", readonly number[]]
  | readonly ["settled", readonly CarriedResult[]]
  | readonly ["requeued", number, number, string]
  | readonly ["aborted", number]
  | readonly ["progress", number, TaskProgress]
  | readonly ["log", string, number?]
  | readonly ["worker", { readonly pid: number; readonly pidStart: string }, "ready" | "ended", string?]
  | readonly ["timers", TimerTotals]
  | readonly ["broken", string, string]
  /** It will not work for this run: wrong code, not allowed. */
  | readonly ["refused", string]
  /** It needs something by reference that is not there yet: a hash, or the evaluator's bundle. */
  | readonly ["needs", string]
  /** It has left its seat, and nothing of it runs any more. */
  | readonly ["left", string];

/** Reports of one who sits on a seat; `from` counts reports, so that one that arrives twice is heard once. */
export interface Saying {
  readonly seat: number;
  /** One sitting of one worker. */
  readonly sitting: string;
  readonly workerId: string;
  readonly host: string;
  readonly from: number;
  readonly reports: readonly Report[];
}

/** What the coordinator tells everybody who works for its run; `sent`: what was needed is there, under this hash. */
export type Order =
  | readonly ["abort", readonly number[]]
  | readonly ["close", number]
  | readonly ["sent", string, string];

/** What a worker says of itself to whoever asks who is there. */
export interface WorkerCard {
  readonly protocol: number;
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly pool: string;
  readonly concurrency: number;
  readonly draining: boolean;
  /** Runs it works for, and how many seats it has there. */
  readonly runs: Readonly<Record<string, number>>;
  readonly tasks: number;
  readonly tasksPerSecond: number;
  readonly upSeconds: number;
}
