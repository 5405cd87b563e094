import type { Redis } from "ioredis";
import type { RunNames } from "../place/redis-keys.ts";
import type { Report, Saying } from "../protocol.ts";

/** Reports wait at most this long for others to travel with. */
const TOGETHER_MS = 10;
/** What should be known at once is, unless something was said so shortly before: tasks of 0.1 ms begin very often. */
const HURRY_MS = 5;
const MOST_EVENTS = 10_000;

/** How one who sits on a seat is heard: over the events of the run's queue, in order. */
export class Voice {
  readonly #redis: Redis;
  readonly #names: RunNames;
  readonly #who: Omit<Saying, "from" | "reports">;
  #reports: Report[] = [];
  #said = 0;
  #timer: NodeJS.Timeout | undefined;
  #flushedAt = Number.NEGATIVE_INFINITY;
  #silent = false;

  constructor(redis: Redis, names: RunNames, who: Omit<Saying, "from" | "reports">) {
    this.#redis = redis;
    this.#names = names;
    this.#who = who;
  }

  say(report: Report, afterMs = TOGETHER_MS): void {
    if (this.#silent) return;
    this.#reports.push(report);
    this.#timer ??= setTimeout(() => void this.flush(), afterMs);
  }

  /** Says it now, or as soon as there has been a moment since the last time. */
  hurry(report: Report): void {
    const waitMs = this.#flushedAt + HURRY_MS - performance.now();
    if (waitMs > 0) this.say(report, waitMs);
    else {
      this.say(report);
      void this.flush();
    }
  }

  /** What has not been said yet, to travel with something else. */
  take(): Saying {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#flushedAt = performance.now();
    const reports = this.#reports;
    this.#reports = [];
    const from = this.#said;
    this.#said += reports.length;
    return { ...this.#who, from, reports };
  }

  /** Says it now. */
  async flush(): Promise<void> {
    const saying = this.take();
    if (saying.reports.length === 0 || this.#silent) return;
    const text = JSON.stringify(saying);
    // Only where somebody listens: nothing is made anew in a Redis that has forgotten the run.
    const limit = ["MAXLEN", "~", MOST_EVENTS] as const;
    try {
      await this.#redis.xadd(this.#names.events, "NOMKSTREAM", ...limit, "*", "event", "says", "saying", text);
    } catch {
      // The connection was closed for good: nobody is left to say it to.
    }
  }

  /** Nobody wants to hear any more. */
  end(): void {
    this.#silent = true;
    clearTimeout(this.#timer);
  }
}
