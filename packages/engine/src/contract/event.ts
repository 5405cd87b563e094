import type { TaskProgress } from "./evaluator.ts";
import type { Failure } from "./outcome.ts";
import type { FailureDetail, WorkerIdentity } from "./pool.ts";
import type { SearchNews, SearchProgress } from "./search.ts";

/** Everything that happens in a run. `at` is milliseconds since the epoch; it is for people, never for a search. */
export type RunEvent =
  | { readonly type: "run-started"; readonly at: number; readonly start: RunStart; readonly says?: ToolSays }
  /** What a resumed run found in its journal, said before anything is dispatched. */
  | { readonly type: "resumed"; readonly at: number; readonly plan: ResumeFacts }
  | { readonly type: "note"; readonly at: number; readonly message: string }
  | {
      readonly type: "worker";
      readonly at: number;
      readonly identity: WorkerIdentity;
      readonly state: "ready" | "ended";
      readonly reason?: string;
    }
  | {
      readonly type: "queued";
      readonly at: number;
      readonly ask: number;
      readonly key: string;
      readonly says?: ToolSays;
    }
  | { readonly type: "started"; readonly at: number; readonly worker: WorkerIdentity; readonly asks: readonly number[] }
  | { readonly type: "progress"; readonly at: number; readonly ask: number; readonly progress: TaskProgress }
  /** A worker printed a line, at a task if it was at one; what a program printed that it started is without. */
  | { readonly type: "log"; readonly at: number; readonly worker: number; readonly line: string; readonly ask?: number }
  | {
      readonly type: "completed";
      readonly at: number;
      readonly ask: number;
      readonly key: string;
      readonly worker: number;
      readonly elapsedMs: number;
      readonly from: "worker" | "cache";
    }
  | {
      readonly type: "failed";
      readonly at: number;
      readonly ask: number;
      readonly key: string;
      readonly worker: number;
      readonly elapsedMs: number;
      readonly attempt: number;
      readonly willRetry: boolean;
      readonly failure: Failure;
      readonly detail: FailureDetail;
      readonly says?: ToolSays;
    }
  | { readonly type: "requeued"; readonly at: number; readonly ask: number; readonly reason: string }
  | { readonly type: "cancelled"; readonly at: number; readonly ask: number; readonly reason: string }
  /** After a batch of tells; carries what the search says of itself, and what happened in it since the last one. */
  | {
      readonly type: "told";
      readonly at: number;
      readonly asked: number;
      readonly told: number;
      readonly search: SearchProgress;
      readonly news?: readonly SearchNews[];
    }
  /** What a worker's timers collected; worker -1 is the coordinator, whose own come at the end. */
  | { readonly type: "timers"; readonly at: number; readonly worker: number; readonly totals: TimerTotals }
  | { readonly type: "finished"; readonly at: number; readonly end: RunEnd; readonly says?: ToolSays };

/** What the tool says of an event to people, instead of the usual lines; of a task that is queued, what it is called. */
type ToolSays = readonly string[];

/** What is known of a run when it begins. */
export interface RunStart {
  readonly id: string;
  readonly tool: string;
  readonly directory: string | undefined;
  readonly pool: string;
  readonly workers: number;
  readonly seed: number;
  readonly lookahead: number;
}

/** What is left to do of a run that goes on. */
export interface ResumeFacts {
  /** Outcomes in the journal: answered without evaluating. */
  readonly reused: number;
  /** How many of them are failures; absent when none is. */
  readonly failed?: number;
  /** Asked but without an outcome: evaluated again. */
  readonly rerun: number;
  readonly reasons: readonly string[];
}

/**
 * Time per name. `ms` includes timers nested inside, `selfMs` does not: self times of one worker add up to at most its
 * wall time.
 */
export type TimerTotals = Readonly<
  Record<string, { readonly ms: number; readonly selfMs: number; readonly count: number }>
>;

/** How a run ended. Only `done` has a digest. */
export type RunEnd =
  | { readonly state: "done"; readonly digest: string; readonly tells: number; readonly reproducible: Reproducible }
  | { readonly state: "stopped" | "interrupted" | "error"; readonly message: string; readonly tells: number };

/** D4: a run that met a clock or lost a worker for good can be repeated from its journal, not from its seed. */
export type Reproducible =
  | { readonly from: "seed" }
  | { readonly from: "journal"; readonly reason: string; readonly tell: number };

/** Something that follows a run for people. It never holds the run up and cannot change it. */
export interface RunReader {
  see(event: RunEvent): void;
  /** Writes what is still to be written. */
  close(): Promise<void>;
}
