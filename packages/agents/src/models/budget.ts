/** Money set aside for one request. */
export interface Reservation {
  /** The request has ended and cost this much; called exactly once. */
  settle(cost: number, answered: boolean): void;
}

interface Held {
  readonly expected: number;
  readonly go: () => void;
}

/**
 * The most that may be spent. A request whose expected cost does not fit is held back until others turned out cheaper;
 * when nothing is under way and nothing fits, the owner is told. Held requests do not fail: the run can be continued
 * later with more money.
 */
export class Budget {
  #limit = Number.POSITIVE_INFINITY;
  #spent = 0;
  #reserved = 0;
  #underWay = 0;
  readonly #held = new Set<Held>();
  /** What requests that were answered were expected to cost and did cost: expectations are corrected by it. */
  readonly #answered = { count: 0, expected: 0, cost: 0 };
  #exhausted: () => void = () => {};

  /** Sets the limit in US dollars; `spentBefore` is what earlier sessions paid. */
  limit(limit: number, spentBefore: number, exhausted: () => void): void {
    this.#limit = limit;
    this.#spent = spentBefore;
    this.#exhausted = exhausted;
  }

  /** Sets aside what a request may cost, as soon as that fits; rejects when it is aborted before. */
  async reserve(expected: number, signal: AbortSignal): Promise<Reservation> {
    signal.throwIfAborted();
    if (this.#held.size > 0 || !this.#fits(expected)) await this.#hold(expected, signal);
    const amount = this.#corrected(expected);
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
        this.#letGo();
      },
    };
  }

  #fits(expected: number): boolean {
    return this.#spent < this.#limit && this.#spent + this.#reserved + this.#corrected(expected) <= this.#limit;
  }

  /** Never less than expected: answers that came out cheap say little about the next. */
  #corrected(expected: number): number {
    const { count, expected: before, cost } = this.#answered;
    if (count === 0) return expected;
    return before > 0 ? expected * Math.max(1, cost / before) : Math.max(expected, cost / count);
  }

  #hold(expected: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const held: Held = {
        expected,
        go: () => {
          signal.removeEventListener("abort", giveUp);
          resolve();
        },
      };
      const giveUp = (): void => {
        this.#held.delete(held);
        reject(signal.reason);
      };
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
    if (this.#fits(first.expected)) {
      this.#held.delete(first);
      first.go();
      queueMicrotask(() => this.#letGo());
    } else if (this.#underWay === 0) {
      setImmediate(() => {
        const [still] = this.#held;
        if (still !== undefined && this.#underWay === 0 && !this.#fits(still.expected)) this.#exhausted();
      });
    }
  }
}
