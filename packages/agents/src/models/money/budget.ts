import type { Expectation } from "./charge.ts";

/** Money set aside for one request. */
export interface Reservation {
  /** The request has ended and cost this much, if that is known; later calls are without effect. */
  settle(cost: number | undefined): void;
}

interface Held {
  readonly wanted: Expectation;
  readonly go: () => void;
  readonly refuse: (reason: Error) => void;
}

/** Hears why nothing fits any more; an error that it returns is what the first held request fails with. */
type Exhausted = (why: string) => Error | undefined;

/**
 * The most that may be spent. A request goes if what it will probably cost fits beside all that was spent and the most
 * that those under way can still cost: so the sum is never more than one request above the limit. Others are held back
 * until some turned out cheaper; when nothing is under way and nothing fits, the owner is told. Unless the owner wants
 * it, held requests do not fail: the run can be continued later with more money.
 */
export class Budget {
  #limit = Number.POSITIVE_INFINITY;
  #spent = 0;
  readonly #underWay = new Set<{ readonly most: number }>();
  readonly #held = new Set<Held>();
  /** What requests were expected to cost and did cost: expectations are corrected by it. */
  readonly #known = { count: 0, expected: 0, cost: 0, dearest: 0 };
  #exhausted: Exhausted = () => undefined;

  /** Sets the limit in US dollars; `spentBefore` is what earlier sessions paid. */
  limit(limit: number, spentBefore: number, exhausted: Exhausted): void {
    this.#limit = limit;
    this.#spent = spentBefore;
    this.#exhausted = exhausted;
  }

  /** Sets aside what a request may cost, as soon as that fits; rejects when it is aborted before. */
  async reserve(wanted: Expectation, signal: AbortSignal): Promise<Reservation> {
    signal.throwIfAborted();
    if (this.#held.size > 0 || !this.#fits(wanted)) await this.#hold(wanted, signal);
    const place = { most: this.#most(wanted) };
    this.#underWay.add(place);
    return {
      settle: (cost) => {
        if (!this.#underWay.delete(place)) return;
        if (cost !== undefined && cost > 0) {
          this.#spent += cost;
          this.#known.count++;
          this.#known.expected += wanted.expected ?? 0;
          this.#known.cost += cost;
          this.#known.dearest = Math.max(this.#known.dearest, cost);
        }
        this.#letGo();
      },
    };
  }

  #fits(wanted: Expectation): boolean {
    if (this.#limit === Number.POSITIVE_INFINITY) return true;
    let committed = this.#spent;
    for (const { most } of this.#underWay) committed += most;
    return this.#spent < this.#limit && committed + this.#corrected(wanted) <= this.#limit;
  }

  /** Never less than expected: answers that came out cheap say little about the next. */
  #corrected({ expected }: Expectation): number {
    const { count, expected: before, cost } = this.#known;
    if (count === 0) return expected ?? 0;
    return expected !== undefined && before > 0
      ? expected * Math.max(1, cost / before)
      : Math.max(expected ?? 0, cost / count);
  }

  /** Where no price says it, the dearest so far; nothing goes beside the first. */
  #most({ most, expected }: Expectation): number {
    const { count, dearest } = this.#known;
    return expected === undefined && count > 0 ? dearest : Math.max(most, dearest);
  }

  #hold(wanted: Expectation, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const held: Held = {
        wanted,
        go: () => {
          signal.removeEventListener("abort", giveUp);
          resolve();
        },
        refuse: (reason) => {
          signal.removeEventListener("abort", giveUp);
          this.#held.delete(held);
          reject(reason);
        },
      };
      const giveUp = (): void => held.refuse(signal.reason);
      signal.addEventListener("abort", giveUp, { once: true });
      this.#held.add(held);
      this.#letGo();
    });
  }

  /**
   * Lets the first held request go if it fits now; its own reservation lets the next one go. When nothing can, says so on
   * the next turn: whoever waits for the last answer must have written it down before the run is stopped.
   */
  #letGo(): void {
    const [first] = this.#held;
    if (first === undefined) return;
    if (this.#fits(first.wanted)) {
      this.#held.delete(first);
      first.go();
      queueMicrotask(() => this.#letGo());
    } else if (this.#underWay.size === 0) {
      setImmediate(() => {
        const [still] = this.#held;
        if (still === undefined || this.#underWay.size > 0 || this.#fits(still.wanted)) return;
        const reason = this.#exhausted(this.#why(still.wanted));
        if (reason === undefined) return;
        still.refuse(reason);
        this.#letGo();
      });
    }
  }

  /** Why a request does not fit, and what would make it. */
  #why(wanted: Expectation): string {
    const cost = this.#corrected(wanted);
    const [limit, spent, next] = [this.#limit, this.#spent, cost].map(
      (sum) => `$${sum > 0 && sum < 0.0001 ? sum : sum.toFixed(4)}`,
    );
    const times = (cost / (wanted.expected ?? cost)).toFixed(1);
    const dearer = Number(times) > 1 ? `, times ${times} as requests so far cost more than expected` : "";
    return `the budget of ${limit} has ${spent} spent, and the next request is expected to cost ${next} (${wanted.says}${dearer}): lower that with --max-tokens or a cheaper --model, or give more with --max-cost`;
  }
}
