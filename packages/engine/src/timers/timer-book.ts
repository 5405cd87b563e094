import type { TimerTotals } from "../contract/event.ts";

/** What is known of one name since the last drain. */
interface Entry {
  /** Timers of this name that run right now. */
  open: number;
  /** When the first of them began, or the last drain if that was later. */
  openedAt: number;
  ms: number;
  selfMs: number;
  count: number;
}

/**
 * Books time under names from one clock. At every moment exactly one running timer, the one begun last, collects self
 * time, so self times never add up to more than the wall; a name's `ms` is the time in which at least one timer of that
 * name ran, so recursion and overlap count once.
 */
export class TimerBook {
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();
  readonly #running: RunningTimer[] = [];
  #switchedAt = 0;

  /** `now` is in milliseconds and never goes back. */
  constructor(now: () => number) {
    this.#now = now;
  }

  begin(name: string): Disposable {
    const at = this.#now();
    this.#creditSelf(at);
    let entry = this.#entries.get(name);
    if (entry === undefined) {
      entry = { open: 0, openedAt: 0, ms: 0, selfMs: 0, count: 0 };
      this.#entries.set(name, entry);
    }
    if (entry.open === 0) entry.openedAt = at;
    entry.open++;
    const timer = new RunningTimer(this, entry);
    this.#running.push(timer);
    return timer;
  }

  /** Does nothing for a timer that has ended or was forgotten. */
  end(timer: RunningTimer): void {
    const place = this.#running.lastIndexOf(timer);
    if (place < 0) return;
    const at = this.#now();
    this.#creditSelf(at);
    this.#running.splice(place, 1);
    const { entry } = timer;
    entry.open--;
    entry.count++;
    if (entry.open === 0) entry.ms += at - entry.openedAt;
  }

  /** Totals since the last drain, running timers included up to now; they go on counting into the next one. */
  drain(): TimerTotals {
    const at = this.#now();
    this.#creditSelf(at);
    const totals = new Map<string, TimerTotals[string]>();
    for (const [name, entry] of this.#entries) {
      if (entry.open > 0) {
        entry.ms += at - entry.openedAt;
        entry.openedAt = at;
      } else if (entry.count === 0) {
        this.#entries.delete(name);
        continue;
      }
      totals.set(name, { ms: entry.ms, selfMs: entry.selfMs, count: entry.count });
      entry.ms = 0;
      entry.selfMs = 0;
      entry.count = 0;
    }
    return Object.fromEntries(totals);
  }

  /** Drops all totals and all running timers. */
  forget(): void {
    this.#entries.clear();
    this.#running.length = 0;
  }

  #creditSelf(at: number): void {
    const top = this.#running.at(-1);
    if (top !== undefined) top.entry.selfMs += at - this.#switchedAt;
    this.#switchedAt = at;
  }
}

class RunningTimer implements Disposable {
  readonly #book: TimerBook;
  readonly entry: Entry;

  constructor(book: TimerBook, entry: Entry) {
    this.#book = book;
    this.entry = entry;
  }

  [Symbol.dispose](): void {
    this.#book.end(this);
  }
}
