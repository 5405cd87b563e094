import type { RunEnd } from "../contract/event.ts";
import type { Pool } from "../contract/pool.ts";
import type { Search } from "../contract/search.ts";
import { Driver } from "../driver/driver.ts";
import { EventStream } from "../driver/event-stream.ts";
import type { OutcomeBook } from "../driver/outcome-book.ts";
import { RunRecord } from "../driver/run-record.ts";
import type { History } from "../journal/history.ts";
import { knownFrom } from "../journal/reproducible.ts";

/** What replaying a journal gave; `interrupted` means the journal ended before the search did. */
export interface Replay {
  readonly end: RunEnd;
  readonly error: Error | undefined;
  /** Encoded candidate of every key that was asked, with the ask that first did. */
  readonly candidates: ReadonlyMap<string, { readonly ask: number; readonly candidate: string }>;
}

/** Runs the search again with the journal's answers and nothing else. Evaluates nothing, writes nothing. */
export function replay(
  search: Search<unknown, unknown, unknown>,
  lookahead: number,
  history: History,
  book: OutcomeBook,
  impure?: string,
): Promise<Replay> {
  const candidates = new Map<string, { ask: number; candidate: string }>();
  const record = new RunRecord(undefined, history, (ask, key, candidate) => {
    if (!candidates.has(key)) candidates.set(key, { ask, candidate });
  });
  return new Promise((resolve) => {
    const driver = new Driver({
      search,
      lookahead,
      wholeBatches: false,
      record,
      book,
      events: new EventStream(),
      cache: undefined,
      retries: 0,
      policy: undefined,
      admit: undefined,
      backoffMs: 0,
      timeoutMs: 0,
      drainMs: 0,
      maxTimeMs: 0,
      onFailure: "continue",
      attempts: new Map(),
      stopAtTell: history.timeLimitTell,
      reproducible: knownFrom(impure, history),
      openPool: () => endOfJournal(() => driver.interrupt("the journal ends here")),
      onEnd: (end, error) => resolve({ end, error, candidates }),
    });
    driver.begin();
  });
}

/** Stands where the workers would be: the first task that reaches it is one the journal cannot answer. */
function endOfJournal(reached: () => void): Pool {
  return {
    kind: "replay",
    workers: 0,
    maxInFlight: 1,
    submit: () => setImmediate(reached),
    abort: () => {},
    close: () => Promise.resolve(),
  };
}
