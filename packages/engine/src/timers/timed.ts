import type { TimerTotals } from "../contract/event.ts";
import { TimerBook } from "./timer-book.ts";

// One book per realm: a worker thread or child process has its own, drained there and sent to the coordinator.
const book = new TimerBook(() => performance.now());
let on = false;

/**
 * Times a function under a name, until its promise settles if it returns one: `timed("rates.evaluate", () => …)`. Costs
 * one branch while timers are off. `using _ = timed("rates.evaluate")` times the rest of a block and reads better in a
 * long one, but the `using` itself costs some 50 ns even when there is nothing to dispose of: not for a hot loop.
 */
export function timed(name: string): Disposable | undefined;
export function timed<Result>(name: string, work: () => Result): Result;
export function timed<Result>(name: string, work?: () => Result): Disposable | undefined | Result {
  if (!on) return work?.();
  return work === undefined ? book.begin(name) : timeWork(name, work);
}

/** Switches this realm's timers; switching off forgets what was collected. */
export function enableTimers(enabled: boolean): void {
  on = enabled;
  if (!enabled) book.forget();
}

export function timersEnabled(): boolean {
  return on;
}

/** What this realm's timers collected since the last call; empty while they are off. */
export function drainTimers(): TimerTotals {
  return on ? book.drain() : {};
}

function timeWork<Result>(name: string, work: () => Result): Result {
  const timer = book.begin(name);
  let result: Result;
  try {
    result = work();
  } catch (error) {
    timer[Symbol.dispose]();
    throw error;
  }
  if (result instanceof Promise) return result.finally(() => timer[Symbol.dispose]()) as Result;
  timer[Symbol.dispose]();
  return result;
}

/** Stands for the coordinator, where the search thinks, in events that name a worker. */
export const COORDINATOR = -1;

/** Switches this realm's timers on; what it returns gives what they collected and leaves them as they were. */
export function collectOwnTimers(): () => TimerTotals {
  const before = timersEnabled();
  enableTimers(true);
  return () => {
    const totals = drainTimers();
    enableTimers(before);
    return totals;
  };
}
