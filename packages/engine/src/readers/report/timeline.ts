import { BusySteps } from "./busy-steps.ts";
import type { Timeline, TimelineSpan } from "./run-report.ts";

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
    batch.ended.push({ ask, key: key.length > MAX_KEY_LENGTH ? `${key.slice(0, MAX_KEY_LENGTH)}…` : key, ok });
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
