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
  #exhausted: () => void = () => {};

  /** Sets the limit in US dollars; `spentBefore` is what earlier sessions paid. */
  limit(limit: number, spentBefore: number, exhausted: () => void): void {
    this.#limit = limit;
    this.#spent = spentBefore;
    this.#exhausted = exhausted;
  }

  /** Takes what a request may cost, or waits (for ever, unless it is aborted) because it does not fit. */
  async reserve(expected: number, signal: AbortSignal): Promise<void> {
    if (this.#spent >= this.#limit || this.#spent + this.#reserved + expected > this.#limit) {
      this.#held++;
      this.#sayIfExhausted();
      await new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        if (signal.aborted) reject(signal.reason);
      }).finally(() => this.#held--);
    }
    this.#underWay++;
    this.#reserved += expected;
  }

  /** A request has ended and cost this much. */
  settle(expected: number, cost: number): void {
    this.#underWay--;
    this.#reserved -= expected;
    this.#spent += cost;
    this.#sayIfExhausted();
  }

  #sayIfExhausted(): void {
    if (this.#held > 0 && this.#underWay === 0) this.#exhausted();
  }
}
