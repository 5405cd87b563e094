import { closeSync, ftruncateSync, openSync, readlinkSync, readSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

/** The last task a worker has started: how many it had started with it, and when, on {@link monotonicMs}. */
export interface LastStart {
  readonly started: number;
  readonly atMs: number;
}

/** Bytes of the record: how many tasks were started (int32 at 0), the thread's number (int32 at 4), when the last one was (float64 at 8). */
const SHARED_BYTES = 16;

/** A thread's current task in shared memory: the pool reads it while the thread is stuck, and after it died. */
export class CurrentTask {
  readonly buffer: SharedArrayBuffer;
  readonly #count: Int32Array;
  readonly #atMs: Float64Array;

  constructor(buffer = new SharedArrayBuffer(SHARED_BYTES)) {
    this.buffer = buffer;
    this.#count = new Int32Array(buffer, 0, 2);
    this.#atMs = new Float64Array(buffer, 8, 1);
  }

  /** One more task is started. The time is written first, so that whoever sees the new count sees its time. */
  start(performanceNow: number): void {
    this.#atMs[0] = monotonicMs(performanceNow);
    Atomics.add(this.#count, 0, 1);
  }

  /** The thread's number for the operating system, once it runs and where it can be told; otherwise 0. */
  get thread(): number {
    return Atomics.load(this.#count, 1);
  }

  /** Says which thread this is, from within. */
  begin(): void {
    Atomics.store(this.#count, 1, threadNumber());
  }

  lastStart(): LastStart {
    const started = Atomics.load(this.#count, 0);
    return { started, atMs: this.#atMs[0] };
  }
}

function threadNumber(): number {
  try {
    return Number(basename(readlinkSync("/proc/thread-self")));
  } catch {
    return 0;
  }
}

/** The count (float64 at 0), when (at 8), and the count again (at 16): a read torn by a write shows two counts. */
const FILE_BYTES = 24;
const READ_TRIES = 4;

/**
 * A process's current task, in an open file without a name: the only memory two processes share on every platform that
 * survives the death of either. Writing costs about a microsecond, never touches a disk and leaves nothing behind.
 */
export class CurrentTaskFile {
  readonly fd: number;
  readonly #record = new Float64Array(FILE_BYTES / 8);
  readonly #bytes = new Uint8Array(this.#record.buffer);
  #last: LastStart = { started: 0, atMs: 0 };

  constructor(fd: number) {
    this.fd = fd;
  }

  /** A new file, by now nameless; its descriptor is for a child to inherit. */
  static make(): CurrentTaskFile {
    const path = join(tmpdir(), `coppice-${crypto.randomUUID()}`);
    // A name nobody can take before us; what is there already, a symbolic link too, is never opened.
    const fd = openSync(path, "wx+", 0o600);
    unlinkSync(path);
    ftruncateSync(fd, FILE_BYTES);
    return new CurrentTaskFile(fd);
  }

  /** One more task is started. */
  start(performanceNow: number): void {
    this.#record[0] += 1;
    this.#record[1] = monotonicMs(performanceNow);
    this.#record[2] = this.#record[0];
    try {
      writeSync(this.fd, this.#bytes, 0, FILE_BYTES, 0);
    } catch {
      // A full disk: the pool then blames the task before this one, if it comes to that.
    }
  }

  lastStart(): LastStart {
    for (let i = 0; i < READ_TRIES; i++) {
      const read = readSync(this.fd, this.#bytes, 0, FILE_BYTES, 0);
      const [started, atMs, again] = this.#record;
      if (read === FILE_BYTES && started === again) {
        this.#last = { started, atMs };
        break;
      }
    }
    return this.#last;
  }

  close(): void {
    closeSync(this.fd);
  }
}

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
