import type { RunEnd } from "../contract/event.ts";
import type { Pool } from "../contract/pool.ts";
import type { Search } from "../contract/search.ts";
import { Driver } from "../driver/driver.ts";
import { EventStream } from "../driver/event-stream.ts";
import { OutcomeBook } from "../driver/outcome-book.ts";
import { RunRecord } from "../driver/run-record.ts";
import { type History, readHistory } from "../journal/history.ts";
import { knownFrom } from "../journal/reproducible.ts";
import { journalIn } from "../run-directory/open-run.ts";
import { readRunFile } from "../run-directory/run-file.ts";

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

/** Tells a search what its run was told so far, as the journal has it; the run may go on meanwhile. Writes nothing. */
export async function tellSoFar(search: Search<unknown, unknown, unknown>, directory: string): Promise<void> {
  const path = journalIn(directory);
  const history = readHistory(path);
  const book = new OutcomeBook(history, path);
  try {
    const { error } = await replay(search, readRunFile(directory).lookahead, history, book);
    if (error !== undefined) throw error;
  } finally {
    book.close();
  }
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
