import type { PoolJob } from "../contract/pool.ts";
import type { FromWorker, ToWorker } from "./worker/worker-message.ts";

/** How a worker ended, as far as its pool could see. */
export interface WorkerEnd {
  /** For people: `exit code 3`, `SIGKILL`, `out of memory`. */
  readonly reason: string;
  readonly exitCode?: number;
  readonly signal?: string;
  /** Stack of the uncaught error, if there was one. */
  readonly stack?: string;
}

/** What a worker tells the pool that started it. */
export interface LinkEvents {
  readonly message: (message: FromWorker) => void;
  /** Text the worker or something it started wrote to its output. */
  readonly output: (text: string) => void;
  /** Once, after the last message, when nothing of the worker runs any more. */
  readonly ended: (end: WorkerEnd) => void;
}

/** The last task a worker has started: how many it had started with it, and when, on {@link monotonicMs}. */
export interface Standing {
  readonly started: number;
  readonly atMs: number;
}

/** One running worker, wherever it runs. */
export interface WorkerLink {
  readonly pid: number;
  readonly pidStart: string;
  post(message: ToWorker): void;
  /** Readable even when the worker is stuck in a loop or has died. */
  standing(): Standing;
  /** Ends the worker and whatever it started, at once; `ended` follows. */
  kill(): void;
}

/** Starts the n-th worker of a pool; `mark` is for the environment of everything it starts. */
export type StartWorker = (job: PoolJob, mark: string, events: LinkEvents) => WorkerLink;

/** Milliseconds on a clock that all threads and processes of this machine share and that nobody sets. */
export function monotonicMs(performanceNow = performance.now()): number {
  return performanceNow + originMs;
}

const originMs = measureOrigin();

/** How far the two clocks are apart: read in turn until the reading was not interrupted, as far as can be told. */
function measureOrigin(): number {
  let originMs = 0;
  let bestMs = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 8; i++) {
    const before = performance.now();
    const monotonic = Number(process.hrtime.bigint()) / 1e6;
    const tookMs = performance.now() - before;
    if (tookMs < bestMs) {
      bestMs = tookMs;
      originMs = monotonic - before - tookMs / 2;
    }
  }
  return originMs;
}
