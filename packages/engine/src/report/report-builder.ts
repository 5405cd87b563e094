import type { RunEvent } from "../contract/event.ts";
import type { FailureDetail } from "../contract/pool.ts";
import { beginning } from "../display/printable.ts";
import { RunView } from "../display/run-view.ts";
import { onlyGiven } from "../only-given.ts";
import { Curve } from "./curve.ts";
import type { FailureReport, ReportFact, ReportNote, RunReport } from "./run-report.ts";
import { TimelineBuilder } from "./timeline.ts";

const MAX_FAILURES = 200;
/** Only the first failures keep their stack and log lines: a run in which everything fails has a small report too. */
const MAX_DETAILED_FAILURES = 50;
const MAX_FAILURE_TYPES = 100;
const MAX_NOTES = 200;
const MAX_STACK_LENGTH = 3000;
const MAX_TEXT_LENGTH = 500;
const MAX_TAIL_LINES = 20;
const MAX_TAIL_LINE_LENGTH = 200;

/** Folds a run's events into a report: those of a live run, or those a journal tells of, or first these and then those. */
export class ReportBuilder {
  readonly #view: RunView;
  readonly #shared: boolean;
  readonly #timeline = new TimelineBuilder();
  readonly #curve = new Curve();
  readonly #failures: FailureReport[] = [];
  readonly #failureTypes = new Map<string, number>();
  readonly #notes: ReportNote[] = [];
  readonly #sessionsMs: number[] = [];
  #failedAttempts = 0;
  #reused = 0;
  #startedAt: number | undefined;
  #lastAt = 0;
  /** Time between sessions, in which the run did not exist. */
  #awayMs = 0;

  /** `view` is one that its owner shows the same events, if there is one. */
  constructor(view?: RunView) {
    this.#shared = view !== undefined;
    this.#view = view ?? new RunView({ keys: false });
  }

  see(event: RunEvent): void {
    if (event.type === "run-started") this.#session(event.at);
    this.#startedAt ??= event.at;
    if (!this.#shared) this.#view.see(event);
    this.#lastAt = Math.max(this.#lastAt, event.at);
    switch (event.type) {
      case "completed":
        if (event.from === "worker") this.#ended(event, true);
        return;
      case "failed":
        this.#ended(event, false);
        this.#failed(event);
        return;
      case "told":
        if (event.search.best !== undefined) this.#curve.add(event.told, event.search.best);
        return;
      case "resumed":
        this.#reused = event.plan.reused;
        return;
      case "note":
        if (this.#notes.length < MAX_NOTES) {
          this.#notes.push({ atMs: this.#ms(event.at), text: beginning(event.message, MAX_TEXT_LENGTH) });
        }
        return;
      default:
        return;
    }
  }

  /** What is known so far; `facts` are added as they are. */
  report(facts: readonly ReportFact[] = []): RunReport {
    const view = this.#view.at(this.#lastAt);
    const activeMs = this.#ms(this.#lastAt);
    return {
      start: view.start,
      facts,
      end: view.end,
      startedAt: this.#startedAt ?? 0,
      activeMs,
      sessions: this.#sessionsMs.length + 1,
      asked: view.asked,
      told: view.told,
      reused: this.#reused,
      counts: view.counts,
      best: view.best,
      levels: view.levels,
      says: view.says,
      workers: view.workers.map(({ worker, pid, done, failed, busyMs, aliveMs }) => ({
        worker,
        pid,
        done,
        failed,
        busyMs,
        aliveMs,
      })),
      timeline: this.#timeline.timeline(activeMs, [...this.#sessionsMs]),
      curve: this.#curve.points(),
      failures: {
        shown: [...this.#failures],
        total: this.#failedAttempts,
        byType: [...this.#failureTypes]
          .map(([type, count]) => ({ type, count }))
          .sort((a, b) => b.count - a.count || (a.type < b.type ? -1 : 1)),
      },
      timers: view.timers,
      notes: [...this.#notes],
    };
  }

  #session(at: number): void {
    if (this.#startedAt === undefined) return;
    this.#awayMs += Math.max(0, at - this.#lastAt);
    this.#sessionsMs.push(this.#ms(at));
  }

  /** Active time of the run at a moment. */
  #ms(at: number): number {
    return Math.max(0, at - (this.#startedAt ?? at) - this.#awayMs);
  }

  #ended(event: Extract<RunEvent, { type: "completed" | "failed" }>, ok: boolean): void {
    this.#timeline.add(event.worker, this.#ms(event.at), event.elapsedMs, event.ask, event.key, ok);
  }

  #failed(event: Extract<RunEvent, { type: "failed" }>): void {
    this.#failedAttempts++;
    const { ask, key, attempt, willRetry, worker, elapsedMs, failure, detail } = event;
    const type = beginning(failure.type, 100);
    if (this.#failureTypes.size < MAX_FAILURE_TYPES || this.#failureTypes.has(type)) {
      this.#failureTypes.set(type, (this.#failureTypes.get(type) ?? 0) + 1);
    }
    if (this.#failures.length >= MAX_FAILURES) return;
    this.#failures.push({
      atMs: this.#ms(event.at),
      ask,
      key: beginning(key, MAX_TEXT_LENGTH),
      attempt,
      willRetry,
      worker,
      elapsedMs,
      failure: { type, message: beginning(failure.message, MAX_TEXT_LENGTH) },
      detail: shortened(detail, this.#failures.length < MAX_DETAILED_FAILURES),
    });
  }
}

function shortened({ stack, causes, logTail, ...facts }: FailureDetail, detailed: boolean): FailureDetail {
  if (!detailed) return facts;
  const told = {
    stack: stack && beginning(stack, MAX_STACK_LENGTH),
    causes: causes?.slice(0, MAX_TAIL_LINES).map((cause) => beginning(cause, MAX_TEXT_LENGTH)),
    logTail: logTail?.slice(-MAX_TAIL_LINES).map((line) => beginning(line, MAX_TAIL_LINE_LENGTH)),
  };
  return { ...facts, ...onlyGiven(told) };
}
