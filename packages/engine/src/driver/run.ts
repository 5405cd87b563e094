import type { Reproducible, RunEnd, RunEvent } from "../contract/event.ts";
import type { EventListener } from "./event-stream.ts";

/** A run that is under way. */
export interface Run<Result> {
  readonly id: string;
  readonly directory: string | undefined;
  /** Everything that happens from now on; bounded, a slow reader misses events. */
  readonly events: AsyncIterable<RunEvent>;
  /** Hears every event as it happens; returns how to stop listening. */
  readonly subscribe: (listener: EventListener) => () => void;
  /** Resolves when the search is done; rejects with {@link RunNotDone} or the error that ended it. */
  readonly finished: Promise<RunDone<Result>>;
  /** Ends the run now; with a journal it can be resumed. */
  readonly interrupt: (reason?: string) => void;
  /** Says something to whoever follows the run; no part of what it finds out. */
  readonly note: (message: string) => void;
}

/** How a run ended whose search was done. */
export interface RunDone<Result> {
  readonly result: Result;
  /** Two runs agree exactly when their digests do. */
  readonly digest: string;
  readonly tells: number;
  readonly reproducible: Reproducible;
}

/** The run ended before its search was done: stopped by a failure, or interrupted. */
export class RunNotDone extends Error {
  override readonly name = "RunNotDone";
  readonly end: RunEnd;
  constructor(end: Exclude<RunEnd, { state: "done" }>) {
    super(end.message);
    this.end = end;
  }
}
