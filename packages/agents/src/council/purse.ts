import type { Outcome } from "@coppice/engine";
import type { CouncilValue } from "./candidate.ts";
import type { Totals } from "./council-record.ts";

/** Counts what answers cost, and says what can still be afforded. */
export class Purse {
  readonly #cap: number | undefined;
  #wasted = 0;
  #totals: Totals = { calls: 0, failed: 0, promptTokens: 0, answerTokens: 0, cost: 0 };

  constructor(cap: number | undefined) {
    this.#cap = cap;
  }

  pay(outcome: Outcome<CouncilValue>): void {
    const { calls, failed, promptTokens, answerTokens, cost } = this.#totals;
    if (outcome.ok && outcome.value.kind !== "model") return;
    const answer = outcome.ok && outcome.value.kind === "model" ? outcome.value : undefined;
    this.#totals = {
      calls: calls + 1,
      failed: failed + (answer === undefined ? 1 : 0),
      promptTokens: promptTokens + (answer?.usage?.promptTokens ?? 0),
      answerTokens: answerTokens + (answer?.usage?.answerTokens ?? 0),
      cost: cost + (answer?.cost ?? 0),
    };
  }

  /** Work that was started early and thrown away costs about this much. */
  waste(estimate: number): void {
    this.#wasted += estimate;
  }

  get totals(): Totals {
    return this.#totals;
  }

  get spent(): number {
    return this.#totals.cost;
  }

  /** Nothing more may be begun. */
  get empty(): boolean {
    return this.#cap !== undefined && this.spent >= this.#cap;
  }

  /** Whether this much more fits, even if it turns out to be wasted like what was wasted before. */
  affords(estimate: number): boolean {
    return this.#cap === undefined || this.spent + this.#wasted + estimate < this.#cap;
  }
}
