import { Worker } from "node:worker_threads";
import { monotonicMs } from "./current-task.ts";

/** How often a process notes that it is awake, and how long it may be silent before that counts as a pause. */
const TICK_MS = 100;
const PAUSE_MS = 2_000;
/** Pauses that are remembered; of a task that outlives more of them the first ones count as work. */
const KEPT = 64;

/** Bytes: pauses so far (int32 at 0), who ticks (int32 at 4), the last tick (float64 at 8), then pauses: from, until. */
const BYTES = 16 + KEPT * 16;
const ticker = { nobody: 0, starting: 1, thread: 2 } as const;

/** Notes that the process is awake, and that it was not, if the last such note is old. Stands by itself: see below. */
function noteAwake(shared: SharedArrayBuffer, nowMs: number, tickMs: number, pauseMs: number): void {
  const count = new Int32Array(shared, 0, 1);
  const last = new Float64Array(shared, 8, 1);
  const pauses = new Float64Array(shared, 16);
  if (nowMs - last[0] > pauseMs) {
    const at = (2 * count[0]) % pauses.length;
    pauses[at] = last[0] + tickMs;
    pauses[at + 1] = nowMs;
    Atomics.add(count, 0, 1);
  }
  last[0] = nowMs;
}

/** For a thread that has time. Text, because a thread that loads modules takes long to start. */
export const TICKS = `
  const shared = require("node:worker_threads").workerData.awake;
  const noteAwake = ${noteAwake};
  setInterval(() => {
    new Int32Array(shared)[1] = ${ticker.thread};
    noteAwake(shared, Number(process.hrtime.bigint()) / 1e6, ${TICK_MS}, ${PAUSE_MS});
  }, ${TICK_MS});
`;

/**
 * The pauses of a process (SIGSTOP, a frozen container, a virtual machine put aside), so that time in which nobody could
 * work is not held against a task. A thread that does nothing else notes every 100 ms that the process is awake; a gap of
 * more than two seconds is a pause. The memory is shared by all threads of the process.
 */
export class AwakeClock {
  readonly buffer: SharedArrayBuffer;
  readonly #count: Int32Array;
  readonly #last: Float64Array;
  readonly #pauses: Float64Array;

  constructor(buffer = new SharedArrayBuffer(BYTES)) {
    this.buffer = buffer;
    this.#count = new Int32Array(buffer, 0, 2);
    this.#last = new Float64Array(buffer, 8, 1);
    this.#pauses = new Float64Array(buffer, 16);
  }

  /** Notes pauses from now on, in a thread of its own if no other does. */
  start(thread: "own" | "another" = "own"): void {
    if (Atomics.compareExchange(this.#count, 1, ticker.nobody, ticker.starting) !== ticker.nobody) return;
    this.#last[0] = monotonicMs();
    if (thread === "own") new Worker(TICKS, { eval: true, execArgv: [], workerData: { awake: this.buffer } }).unref();
    // A thread may take a second to start on a busy machine.
    const meanwhile = setInterval(() => {
      if (this.#count[1] === ticker.thread) clearInterval(meanwhile);
      else noteAwake(this.buffer, monotonicMs(), TICK_MS, PAUSE_MS);
    }, TICK_MS).unref();
  }

  /** Milliseconds between two moments on {@link monotonicMs} in which the process was awake. */
  between(sinceMs: number, nowMs: number): number {
    const last = this.#last[0];
    let awakeMs = nowMs - sinceMs;
    if (last === 0) return awakeMs;
    let notedUntil = last + TICK_MS;
    for (let i = Math.min(KEPT, Atomics.load(this.#count, 0)) - 1; i >= 0; i--) {
      const until = this.#pauses[2 * i + 1];
      awakeMs -= Math.max(0, Math.min(until, nowMs) - Math.max(this.#pauses[2 * i], sinceMs));
      notedUntil = Math.max(notedUntil, until);
    }
    // A pause that has only just ended, before anybody noted it.
    if (nowMs - notedUntil > PAUSE_MS - TICK_MS) awakeMs -= Math.max(0, nowMs - Math.max(notedUntil, sinceMs));
    return Math.max(0, awakeMs);
  }
}

/** The pauses of this process; a worker thread is given the memory of the thread that started it. */
export const awake = { clock: new AwakeClock() };
