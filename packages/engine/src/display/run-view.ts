import type { ResumeFacts, RunEnd, RunEvent, RunStart, TimerTotals } from "../contract/event.ts";
import type { Failure } from "../contract/outcome.ts";
import type { ProgressLevel, SearchProgress } from "../contract/search.ts";
import { addTimerTotals, type TimerShare, timerShares } from "../timers/shares.ts";
import { COORDINATOR } from "../timers/timed.ts";
import { CountedWork, Pace, type WorkView } from "./counted-work.ts";
import { overallFraction, remainingMs } from "./summary-line.ts";
import { WorkerRow, type WorkerView } from "./worker-row.ts";

/** What is known of a run at a moment: everything a display needs, as plain data. */
export interface RunSnapshot {
  readonly start: RunStart | undefined;
  readonly resumed: ResumeFacts | undefined;
  readonly end: RunEnd | undefined;
  readonly startedAt: number;
  readonly elapsedMs: number;
  readonly asked: number;
  readonly told: number;
  readonly counts: RunCounts;
  /** Evaluations per second over the last seconds. */
  readonly rate: number | undefined;
  readonly best: number | undefined;
  /** What tasks say they did so far, if they count it. */
  readonly work: WorkView | undefined;
  readonly levels: readonly ProgressLevel[];
  /** What the search last said of itself. */
  readonly says: readonly string[];
  /** 0 … 1: of what the tasks count, else over the levels if the search has any, else of what has been asked so far. */
  readonly fraction: number;
  readonly etaMs: number | undefined;
  /** By worker number. */
  readonly workers: readonly WorkerView[];
  readonly lastFailure: LastFailure | undefined;
  /** What the coordinator's own timers collected; known at the end. */
  readonly ownTimers: TimerTotals;
  readonly timers: readonly TimerShare[];
}

/** How many evaluations ended in which way so far. */
export interface RunCounts {
  /** Evaluations that gave a value. */
  readonly completed: number;
  /** Values that came from the cache. */
  readonly cached: number;
  /** Evaluations that failed for good. */
  readonly failed: number;
  /** Failed attempts that were tried again. */
  readonly retried: number;
  readonly requeued: number;
  readonly cancelled: number;
}

export interface LastFailure {
  readonly at: number;
  readonly ask: number;
  readonly key: string;
  readonly failure: Failure;
  readonly willRetry: boolean;
  /** What the tool says of it to people, in a line. */
  readonly says?: string;
}

const MIN_REMEMBERED_KEYS = 4096;

/**
 * Folds a run's events into what is known of it. Takes its time from the events and the caller, so that the same events
 * give the same view live and later; survives dropped events; its size does not grow with the number of tasks.
 */
export class RunView {
  #start: RunStart | undefined;
  #resumed: ResumeFacts | undefined;
  #end: RunEnd | undefined;
  #startedAt: number | undefined;
  #seenAt = 0;
  #asked = 0;
  #told = 0;
  #ownTimers: TimerTotals = {};
  #best: number | undefined;
  #levels: readonly ProgressLevel[] = [];
  #says: readonly string[] = [];
  /** What the search knows of all that its tasks will ever count. */
  #counted: SearchProgress["counted"];
  #countedPace = new Pace();
  #mostCounted = 0;
  #counts = { completed: 0, cached: 0, failed: 0, retried: 0, requeued: 0, cancelled: 0 };
  #lastFailure: LastFailure | undefined;
  readonly #pace = new Pace();
  #work = new CountedWork();
  readonly #keys: Map<number, string> | undefined;
  readonly #workers = new Map<number, WorkerRow>();
  /** Until the first task is handed out everything told came from the journal. */
  #worked: { readonly since: number; readonly fraction: number } | undefined;

  /** With `keys` the view knows the keys of tasks that have not ended: for readers that show them. */
  constructor({ keys }: { readonly keys: boolean } = { keys: true }) {
    this.#keys = keys ? new Map() : undefined;
  }

  see(event: RunEvent): void {
    this.#startedAt ??= event.at;
    this.#see(event);
    this.#seenAt = Math.max(this.#seenAt, event.at);
  }

  #see(event: RunEvent): void {
    switch (event.type) {
      case "run-started":
        // A journal read from its beginning has one per session; what an earlier one still held is gone.
        for (const row of this.#workers.values()) row.hasEnded(this.#seenAt);
        this.#work = new CountedWork();
        this.#countedPace = new Pace();
        this.#start = event.start;
        this.#startedAt = event.at;
        this.#end = undefined;
        return;
      case "resumed":
        this.#resumed = event.plan;
        // Whoever reads the journal from its beginning has seen them fail.
        this.#counts.failed = Math.max(this.#counts.failed, event.plan.failed ?? 0);
        return;
      case "worker":
        if (event.state === "ready") this.#row(event.identity.worker).isReady(event.at, event.identity.pid);
        else this.#row(event.identity.worker).hasEnded(event.at);
        return;
      case "queued":
        this.#asked = Math.max(this.#asked, event.ask + 1);
        if (this.#keys !== undefined) this.#remember(this.#keys, event.ask, event.says?.[0] ?? event.key);
        return;
      case "started":
        this.#worked ??= { since: event.at, fraction: this.#fraction() };
        this.#row(event.worker.worker).isHanded(event.at, event.worker.pid, event.asks);
        return;
      case "progress":
        for (const row of this.#workers.values()) row.reports(event.ask, event.progress);
        this.#work.reports(event.at, event.ask, event.progress);
        return;
      case "completed":
        this.#keys?.delete(event.ask);
        if (event.from === "cache") {
          this.#counts.cached++;
          return;
        }
        this.#counts.completed++;
        this.#work.ends(event.at, event.ask);
        this.#pace.add(event.at);
        this.#row(event.worker).hasSettled(event.at, event.ask, event.elapsedMs, true);
        return;
      case "failed": {
        const { at, ask, key, failure, willRetry } = event;
        if (willRetry) this.#counts.retried++;
        else {
          this.#counts.failed++;
          this.#keys?.delete(ask);
          this.#pace.add(at);
        }
        this.#work.forgets(ask);
        const [says] = event.says ?? [];
        this.#lastFailure = { at, ask, key, failure, willRetry, ...(says === undefined ? {} : { says }) };
        this.#row(event.worker).hasSettled(at, ask, event.elapsedMs, false);
        return;
      }
      case "requeued":
        this.#counts.requeued++;
        this.#work.forgets(event.ask);
        for (const row of this.#workers.values()) row.hasLost(event.at, event.ask);
        return;
      case "cancelled":
        this.#counts.cancelled++;
        this.#work.forgets(event.ask);
        this.#keys?.delete(event.ask);
        for (const row of this.#workers.values()) row.hasLost(event.at, event.ask);
        return;
      case "told":
        this.#asked = Math.max(this.#asked, event.asked);
        this.#told = Math.max(this.#told, event.told);
        this.#best = event.search.best ?? this.#best;
        this.#levels = event.search.levels ?? this.#levels;
        this.#says = event.search.says ?? this.#says;
        this.#countsAt(event.at, event.search.counted);
        return;
      case "timers":
        if (event.worker === COORDINATOR) this.#ownTimers = addTimerTotals(this.#ownTimers, event.totals);
        else this.#row(event.worker).collects(event.totals);
        return;
      case "finished":
        this.#end = event.end;
        this.#told = Math.max(this.#told, event.end.tells);
        for (const row of this.#workers.values()) row.hasEnded(event.at);
        return;
      case "note":
      case "log":
        return;
      default:
        event satisfies never;
    }
  }

  /** What is known at `now`, milliseconds since the epoch; after the end time stands still. */
  at(now: number): RunSnapshot {
    const moment = this.#end === undefined ? Math.max(now, this.#seenAt) : this.#seenAt;
    const startedAt = this.#startedAt ?? moment;
    const work = this.#whole(moment, this.#work.view(moment, this.#asked, this.#told));
    const workers = [...this.#workers.values()]
      .sort((a, b) => a.worker - b.worker)
      .map((row) => row.view(moment, (ask) => this.#keys?.get(ask)));
    return {
      start: this.#start,
      resumed: this.#resumed,
      end: this.#end,
      startedAt,
      elapsedMs: moment - startedAt,
      asked: this.#asked,
      told: this.#told,
      counts: { ...this.#counts },
      rate: this.#pace.perSecond(moment),
      best: this.#end === undefined ? (work?.best ?? this.#best) : (this.#best ?? work?.best),
      work,
      levels: this.#levels,
      says: this.#says,
      fraction: this.#fraction(work),
      etaMs: this.#eta(moment, startedAt, work),
      workers,
      lastFailure: this.#lastFailure,
      ownTimers: this.#ownTimers,
      timers: sharesOver(workers, this.#ownTimers, moment - startedAt),
    };
  }

  #countsAt(at: number, counted: SearchProgress["counted"]): void {
    if (counted === undefined) return;
    // What is told of a journal was done by an earlier session.
    this.#countedPace.add(at, this.#worked === undefined ? 0 : Math.max(0, counted.done - this.#mostCounted));
    this.#mostCounted = Math.max(this.#mostCounted, counted.done);
    this.#counted = counted;
  }

  /** With what was counted before this session, and what will be counted by tasks nobody has asked for yet. */
  #whole(now: number, work: WorkView | undefined): WorkView | undefined {
    if (work === undefined || this.#counted === undefined) return work;
    const { done, total } = this.#counted;
    // Short tasks end before they have reported anything; long ones report long before they are told.
    const rates = [work.rate, this.#countedPace.perSecond(now)].filter((rate) => rate !== undefined);
    const rate = rates.length === 0 ? undefined : Math.max(...rates);
    return { ...work, done: Math.max(work.done, done), total: Math.max(work.total, total), rate };
  }

  #fraction(work?: WorkView): number {
    if (work !== undefined && work.total > 0) return Math.min(1, work.done / work.total);
    if (this.#levels.length > 0) return overallFraction(this.#levels);
    return this.#asked === 0 ? 0 : Math.min(1, this.#told / this.#asked);
  }

  #eta(now: number, startedAt: number, work: WorkView | undefined): number | undefined {
    if (this.#end !== undefined) return this.#end.state === "done" ? 0 : undefined;
    if (this.#resumed !== undefined && this.#worked === undefined) return undefined;
    if (work !== undefined) {
      const before = this.#counted === undefined ? 0 : this.#worked?.fraction;
      return remainingMs(this.#fraction(work), now - (this.#worked?.since ?? startedAt), before);
    }
    if (this.#levels.length > 0) {
      const base = this.#resumed === undefined ? { since: startedAt, fraction: 0 } : this.#worked;
      return remainingMs(this.#fraction(), now - (base?.since ?? startedAt), base?.fraction);
    }
    const rate = this.#pace.perSecond(now);
    const left = this.#asked - this.#told;
    if (left <= 0) return undefined;
    return rate === undefined || rate === 0 ? undefined : (left * 1000) / rate;
  }

  #row(worker: number): WorkerRow {
    let row = this.#workers.get(worker);
    if (row === undefined) {
      row = new WorkerRow(worker);
      this.#workers.set(worker, row);
    }
    return row;
  }

  /** Asks that never end in an event of their own (joined ones) are forgotten when newer ones need the room. */
  #remember(keys: Map<number, string>, ask: number, key: string): void {
    keys.set(ask, key);
    const room = Math.max(MIN_REMEMBERED_KEYS, 2 * (this.#start?.lookahead ?? 0));
    if (keys.size <= room) return;
    for (const oldest of keys.keys()) {
      keys.delete(oldest);
      return;
    }
  }
}

/** Shares of the time of all workers and, where it was timed, of the coordinator. */
function sharesOver(workers: readonly WorkerView[], own: TimerTotals, elapsedMs: number): readonly TimerShare[] {
  const totals: TimerTotals = addTimerTotals(own, ...workers.map((worker) => worker.timers));
  return timerShares(
    totals,
    workers.reduce((sum, worker) => sum + worker.aliveMs, Object.keys(own).length > 0 ? elapsedMs : 0),
  );
}
