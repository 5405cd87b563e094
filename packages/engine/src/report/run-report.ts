import type { RunEnd, RunStart } from "../contract/event.ts";
import type { Failure } from "../contract/outcome.ts";
import type { FailureDetail } from "../contract/pool.ts";
import type { ProgressLevel } from "../contract/search.ts";
import type { RunCounts } from "../display/run-view.ts";
import type { TimerShare } from "../timers/shares.ts";

/** Everything a report says of a run, as plain data of bounded size however many tasks the run had. */
export interface RunReport {
  readonly start: RunStart | undefined;
  /** Further facts of the run for people, in the order to show them. */
  readonly facts: readonly ReportFact[];
  /** Undefined while the run goes on, or when it was cut off. */
  readonly end: RunEnd | undefined;
  /** Milliseconds since the epoch of the first session's start. */
  readonly startedAt: number;
  /** Time the run was at work, over all sessions. */
  readonly activeMs: number;
  /** Whether somebody works on it now, where that was looked up. */
  readonly running?: boolean;
  /** Sessions: 1 plus the number of resumes. */
  readonly sessions: number;
  readonly asked: number;
  readonly told: number;
  readonly reused: number;
  readonly counts: RunCounts;
  readonly best: number | undefined;
  readonly levels: readonly ProgressLevel[];
  readonly says: readonly string[];
  readonly workers: readonly WorkerReport[];
  readonly timeline: Timeline;
  readonly curve: readonly CurvePoint[];
  readonly failures: FailuresReport;
  readonly timers: readonly TimerShare[];
  readonly notes: readonly ReportNote[];
}

/** A fact about a run, as a line of a table. */
export interface ReportFact {
  readonly name: string;
  readonly value: string;
}

/** What one worker did, and how long it was busy. */
export interface WorkerReport {
  readonly worker: number;
  readonly pid: number;
  readonly done: number;
  readonly failed: number;
  readonly busyMs: number;
  readonly aliveMs: number;
}

/** The best value the search knew after a number of tells. */
export interface CurvePoint {
  readonly told: number;
  readonly best: number;
}

/** What workers did over the run's active time; gaps between sessions are left out. */
export interface Timeline {
  readonly lengthMs: number;
  /** Where later sessions begin. */
  readonly sessionsMs: readonly number[];
  /** Every evaluation, while there are few. */
  readonly spans: readonly TimelineSpan[] | undefined;
  /** Parts of the time each worker was busy, in steps of `stepMs`. */
  readonly stepMs: number;
  readonly rows: readonly TimelineRow[];
}

/** One attempt on the time line. */
export interface TimelineSpan {
  readonly worker: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly ask: number;
  readonly key: string;
  readonly ok: boolean;
}

/** How busy a worker was, step by step, where there are too many attempts to draw each. */
export interface TimelineRow {
  readonly worker: number;
  /** 0 … 1 per step. */
  readonly busy: readonly number[];
  /** Failed attempts per step. */
  readonly failed: readonly number[];
}

/** The attempts of a run that failed. */
export interface FailuresReport {
  /** The first ones, with all that is known of them. */
  readonly shown: readonly FailureReport[];
  readonly total: number;
  /** Attempts per failure type, most frequent first. */
  readonly byType: readonly { readonly type: string; readonly count: number }[];
}

/** One failed attempt, with all that is known of it. */
export interface FailureReport {
  readonly atMs: number;
  readonly ask: number;
  readonly key: string;
  /** What people call the task, where its tool knows. */
  readonly name?: string;
  readonly attempt: number;
  readonly willRetry: boolean;
  readonly worker: number;
  readonly elapsedMs: number;
  readonly failure: Failure;
  readonly detail: FailureDetail;
}

/** Something that happened at a moment of the run. */
export interface ReportNote {
  readonly atMs: number;
  readonly text: string;
}
