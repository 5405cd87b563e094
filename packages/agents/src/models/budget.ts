/**
 * The most that may be spent. Requests whose expected cost no longer fits are held back, not failed: when the last one
 * under way has ended, the owner is told, and the run can be continued later with more money.
 */
export class Budget {
  #limit = Number.POSITIVE_INFINITY;
  #spent = 0;
  #reserved = 0;
  #underWay = 0;
  #held = 0;
  /** What requests that were answered were expected to cost and did cost: expectations are corrected by it. */
  readonly #answered = { count: 0, expected: 0, cost: 0 };
  #exhausted: () => void = () => {};

  /** Sets the limit in US dollars; `spentBefore` is what earlier sessions paid. */
  limit(limit: number, spentBefore: number, exhausted: () => void): void {
    this.#limit = limit;
    this.#spent = spentBefore;
    this.#exhausted = exhausted;
  }

  /** Sets aside what a request may cost, or waits (for ever, unless it is aborted) because that does not fit. */
  async reserve(expected: number, signal: AbortSignal): Promise<Reservation> {
    const amount = this.#corrected(expected);
    if (this.#spent >= this.#limit || this.#spent + this.#reserved + amount > this.#limit) {
      this.#held++;
      this.#sayIfExhausted();
      await new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        if (signal.aborted) reject(signal.reason);
      }).finally(() => this.#held--);
    }
    this.#underWay++;
    this.#reserved += amount;
    return {
      settle: (cost, answered) => {
        this.#underWay--;
        this.#reserved -= amount;
        this.#spent += cost;
        if (answered) {
          this.#answered.count++;
          this.#answered.expected += expected;
          this.#answered.cost += cost;
        }
        this.#sayIfExhausted();
      },
    };
  }

  /** Never less than expected: answers that came out cheap say little about the next. */
  #corrected(expected: number): number {
    const { count, expected: before, cost } = this.#answered;
    if (count === 0) return expected;
    return before > 0 ? expected * Math.max(1, cost / before) : Math.max(expected, cost / count);
  }

  /** On the next turn: whoever waits for the last answer must have written it down before the run is stopped. */
  #sayIfExhausted(): void {
    if (this.#held === 0 || this.#underWay > 0) return;
    setImmediate(() => {
      if (this.#held > 0 && this.#underWay === 0) this.#exhausted();
    });
  }
}

/** Money set aside for one request. */
export interface Reservation {
  /** The request has ended and cost this much; called exactly once. */
  settle(cost: number, answered: boolean): void;
}
