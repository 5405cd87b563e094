import { beginning } from "../display/printable.ts";
import type { Timeline, TimelineRow, TimelineSpan } from "./run-report.ts";

const MAX_SPANS = 1200;
const MAX_KEY_LENGTH = 80;

interface Batch {
  atMs: number;
  readonly ended: Omit<TimelineSpan, "worker" | "fromMs" | "toMs">[];
  readonly elapsedMs: number[];
}

/** Lays evaluations on a line per worker: each one while there are few, always as busy time per step. */
export class TimelineBuilder {
  readonly #steps = new BusySteps();
  readonly #batches = new Map<number, Batch>();
  #spans: TimelineSpan[] | undefined = [];

  /** An evaluation of `elapsedMs` was heard to have ended at `atMs` of the run. */
  add(worker: number, atMs: number, elapsedMs: number, ask: number, key: string, ok: boolean): void {
    let batch = this.#batches.get(worker);
    if (batch === undefined) {
      batch = { atMs, ended: [], elapsedMs: [] };
      this.#batches.set(worker, batch);
    }
    // A worker sends several small ones together: they ended one after the other, the last just before it sent them.
    if (batch.atMs !== atMs) this.#lay(worker, batch);
    batch.atMs = atMs;
    batch.ended.push({ ask, key: beginning(key, MAX_KEY_LENGTH), ok });
    batch.elapsedMs.push(elapsedMs);
  }

  timeline(lengthMs: number, sessionsMs: readonly number[]): Timeline {
    for (const [worker, batch] of this.#batches) this.#lay(worker, batch);
    return {
      lengthMs,
      sessionsMs,
      spans: this.#spans?.slice(),
      stepMs: this.#steps.stepMs,
      rows: this.#steps.rows(lengthMs),
    };
  }

  #lay(worker: number, batch: Batch): void {
    let toMs = batch.atMs;
    for (let index = batch.ended.length - 1; index >= 0; index--) {
      const fromMs = Math.max(0, toMs - batch.elapsedMs[index]);
      const ended = batch.ended[index];
      this.#steps.add(worker, fromMs, toMs, ended.ok);
      this.#spans?.push({ worker, fromMs, toMs, ...ended });
      toMs = fromMs;
    }
    batch.ended.length = 0;
    batch.elapsedMs.length = 0;
    if (this.#spans !== undefined && this.#spans.length > MAX_SPANS) this.#spans = undefined;
  }
}

const STEPS = 360;

interface Row {
  readonly busyMs: Float64Array;
  readonly failed: Uint32Array;
}

/** Adds up each worker's busy time in equal steps of the run; the steps double as the run grows past them. */
class BusySteps {
  #stepMs = 1;
  readonly #rows = new Map<number, Row>();

  get stepMs(): number {
    return this.#stepMs;
  }

  add(worker: number, fromMs: number, toMs: number, ok: boolean): void {
    const from = Math.max(0, fromMs);
    const to = Math.max(from, toMs);
    while (to >= this.#stepMs * STEPS) this.#double();
    const row = this.#row(worker);
    const first = Math.floor(from / this.#stepMs);
    const last = Math.floor(to / this.#stepMs);
    for (let step = first; step <= last; step++) {
      const begin = Math.max(from, step * this.#stepMs);
      const end = Math.min(to, (step + 1) * this.#stepMs);
      row.busyMs[step] += end - begin;
    }
    if (!ok) row.failed[last]++;
  }

  /** Rows by worker number, as long as the run. */
  rows(lengthMs: number): TimelineRow[] {
    const steps = Math.min(STEPS, Math.max(1, Math.ceil(lengthMs / this.#stepMs)));
    return [...this.#rows]
      .sort(([a], [b]) => a - b)
      .map(([worker, { busyMs, failed }]) => ({
        worker,
        busy: Array.from(busyMs.subarray(0, steps), (ms) => Math.min(1, ms / this.#stepMs)),
        failed: Array.from(failed.subarray(0, steps)),
      }));
  }

  #row(worker: number): Row {
    let row = this.#rows.get(worker);
    if (row === undefined) {
      row = { busyMs: new Float64Array(STEPS), failed: new Uint32Array(STEPS) };
      this.#rows.set(worker, row);
    }
    return row;
  }

  #double(): void {
    this.#stepMs *= 2;
    for (const { busyMs, failed } of this.#rows.values()) {
      fold(busyMs);
      fold(failed);
    }
  }
}

function fold(steps: Float64Array | Uint32Array): void {
  for (let step = 0; step < STEPS / 2; step++) steps[step] = steps[2 * step] + steps[2 * step + 1];
  steps.fill(0, STEPS / 2);
}
