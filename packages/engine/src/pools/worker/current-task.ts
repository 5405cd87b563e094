import { monotonicMs, type Standing } from "../worker-link.ts";

/** Bytes of the record: how many tasks were started (int32 at 0), when the last one was (float64 at 8). */
const RECORD_BYTES = 16;

/** A thread's current task in shared memory: the pool reads it while the thread is stuck, and after it died. */
export class CurrentTask {
  readonly buffer: SharedArrayBuffer;
  readonly #count: Int32Array;
  readonly #atMs: Float64Array;

  constructor(buffer = new SharedArrayBuffer(RECORD_BYTES)) {
    this.buffer = buffer;
    this.#count = new Int32Array(buffer, 0, 1);
    this.#atMs = new Float64Array(buffer, 8, 1);
  }

  /** One more task is started. The time is written first, so that whoever sees the new count sees its time. */
  start(performanceNow: number): void {
    this.#atMs[0] = monotonicMs(performanceNow);
    Atomics.add(this.#count, 0, 1);
  }

  standing(): Standing {
    const started = Atomics.load(this.#count, 0);
    return { started, atMs: this.#atMs[0] };
  }
}
