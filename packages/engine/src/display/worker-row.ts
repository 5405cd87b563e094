import type { TaskProgress } from "../contract/evaluator.ts";
import type { TimerTotals } from "../contract/event.ts";
import { addTimerTotals } from "../timers/shares.ts";
import { remainingMs } from "./summary-line.ts";

/** What is known of one worker at a moment. */
export interface WorkerView {
  readonly worker: number;
  readonly pid: number;
  readonly state: "idle" | "busy" | "ended";
  /** The task it is at, by ask number and, if known, its key or what its tool calls it. */
  readonly task:
    | { readonly ask: number; readonly key: string | undefined; readonly progress: TaskProgress | undefined }
    | undefined;
  /** Tasks it was handed and has not begun. */
  readonly waiting: number;
  readonly done: number;
  readonly failed: number;
  /** Time inside evaluations. */
  readonly busyMs: number;
  /** Time since it was ready, until it ended. */
  readonly aliveMs: number;
  /** Until it is through with what it was handed. */
  readonly etaMs: number | undefined;
  readonly timers: TimerTotals;
}

/** Follows one worker through the event stream. A worker does what it was handed in that order, one at a time. */
export class WorkerRow {
  readonly worker: number;
  #pid = 0;
  #ready: number | undefined;
  #aliveMs = 0;
  #handed: number[] = [];
  #currentSince = 0;
  #progress: TaskProgress | undefined;
  #done = 0;
  #failed = 0;
  #busyMs = 0;
  #timers: TimerTotals = {};

  constructor(worker: number) {
    this.worker = worker;
  }

  isReady(at: number, pid: number): void {
    this.#pid = pid;
    this.#ready ??= at;
  }

  hasEnded(at: number): void {
    if (this.#ready !== undefined) this.#aliveMs += at - this.#ready;
    this.#ready = undefined;
    this.#handed = [];
    this.#progress = undefined;
  }

  isHanded(at: number, pid: number, asks: readonly number[]): void {
    this.isReady(at, pid);
    if (this.#handed.length === 0) {
      this.#currentSince = at;
      this.#progress = undefined;
    }
    this.#handed.push(...asks);
  }

  /** The task ended here. Whatever it was handed before it has ended too, even if that event was dropped. */
  hasSettled(at: number, ask: number, elapsedMs: number, ok: boolean): void {
    const place = this.#handed.indexOf(ask);
    if (place >= 0) this.#take(at, place + 1);
    if (ok) this.#done++;
    else this.#failed++;
    this.#busyMs += elapsedMs;
  }

  /** The task is no longer here: requeued or cancelled. */
  hasLost(at: number, ask: number): void {
    const place = this.#handed.indexOf(ask);
    if (place === 0) this.#take(at, 1);
    else if (place > 0) this.#handed.splice(place, 1);
  }

  reports(ask: number, progress: TaskProgress): void {
    if (this.#handed[0] === ask) this.#progress = progress;
  }

  collects(timers: TimerTotals): void {
    this.#timers = addTimerTotals(this.#timers, timers);
  }

  view(now: number, keyOf: (ask: number) => string | undefined): WorkerView {
    const ask = this.#handed[0];
    return {
      worker: this.worker,
      pid: this.#pid,
      state: this.#ready === undefined ? "ended" : ask === undefined ? "idle" : "busy",
      task: ask === undefined ? undefined : { ask, key: keyOf(ask), progress: this.#progress },
      waiting: Math.max(0, this.#handed.length - 1),
      done: this.#done,
      failed: this.#failed,
      busyMs: this.#busyMs,
      aliveMs: this.#aliveMs + (this.#ready === undefined ? 0 : Math.max(0, now - this.#ready)),
      etaMs: this.#eta(now),
      timers: this.#timers,
    };
  }

  #eta(now: number): number | undefined {
    if (this.#handed.length === 0) return undefined;
    const elapsedMs = Math.max(0, now - this.#currentSince);
    const ended = this.#done + this.#failed;
    const meanMs = ended > 0 ? this.#busyMs / ended : undefined;
    const { done, total } = this.#progress ?? { done: 0, total: 0 };
    // A task that takes longer than most says nothing of how much longer.
    const usual = meanMs !== undefined && meanMs > elapsedMs ? meanMs - elapsedMs : undefined;
    const current = total > 0 ? remainingMs(done / total, elapsedMs) : usual;
    const waiting = this.#handed.length - 1;
    if (current === undefined || (waiting > 0 && meanMs === undefined)) return undefined;
    return current + waiting * (meanMs ?? 0);
  }

  #take(at: number, count: number): void {
    this.#handed.splice(0, count);
    this.#currentSince = at;
    this.#progress = undefined;
  }
}
