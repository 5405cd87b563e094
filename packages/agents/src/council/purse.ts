import type { Outcome } from "@coppice/engine";
import { addCall, type CallTotals, noCalls } from "../models/money/totals.ts";
import type { CouncilNews } from "./candidate.ts";

/** Counts what answers cost, and says what can still be afforded. */
export class Purse {
  readonly #cap: number | undefined;
  #wasted = 0;
  #totals = noCalls;

  constructor(cap: number | undefined) {
    this.#cap = cap;
  }

  pay(outcome: Outcome<CouncilNews>): void {
    if (!outcome.ok) this.#totals = addCall(this.#totals, outcome);
    else if (outcome.value.kind === "model") this.#totals = addCall(this.#totals, { ok: true, value: outcome.value });
  }

  /** Work that was started early and thrown away costs about this much. */
  waste(estimate: number): void {
    this.#wasted += estimate;
  }

  get totals(): CallTotals {
    return this.#totals;
  }

  get spent(): number {
    return this.#totals.cost ?? 0;
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
