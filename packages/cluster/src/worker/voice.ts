import type { Redis } from "ioredis";
import type { RunNames } from "../place/names.ts";
import type { Report, Saying } from "../protocol.ts";

/** Reports wait at most this long for others to travel with. */
const TOGETHER_MS = 10;
const MOST_EVENTS = 10_000;

/** How one who sits on a seat is heard: over the events of the run's queue, in order. */
export class Voice {
  readonly #redis: Redis;
  readonly #names: RunNames;
  readonly #who: Omit<Saying, "from" | "reports">;
  #reports: Report[] = [];
  #said = 0;
  #timer: NodeJS.Timeout | undefined;
  #silent = false;

  constructor(redis: Redis, names: RunNames, who: Omit<Saying, "from" | "reports">) {
    this.#redis = redis;
    this.#names = names;
    this.#who = who;
  }

  say(report: Report): void {
    if (this.#silent) return;
    this.#reports.push(report);
    this.#timer ??= setTimeout(() => void this.flush(), TOGETHER_MS);
  }

  /** What has not been said yet, to travel with something else. */
  take(): Saying {
    clearTimeout(this.#timer);
    this.#timer = undefined;
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
