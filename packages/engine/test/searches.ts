import type { Outcome } from "../src/contract/outcome.ts";
import type { Proposal, Search } from "../src/contract/search.ts";

/** What a search heard, in order; two runs agree when these do. */
export type Heard = readonly (readonly [ask: number, text: string])[];

type Step = Proposal<unknown> | ((heard: Heard) => Proposal<unknown>);

/** Follows a script of proposals; a function in it is called and may look at what was heard so far. */
export class Scripted implements Search<unknown, unknown, Heard> {
  readonly heard: [number, string][] = [];
  readonly #script: Step[];

  constructor(...script: readonly (Step | readonly Step[])[]) {
    this.#script = script.flat();
  }

  ask(): Proposal<unknown> {
    const next = this.#script[0];
    if (next === undefined) return { kind: "done" };
    const proposal = typeof next === "function" ? next(this.heard) : next;
    if (proposal.kind !== "wait" || typeof next !== "function") this.#script.shift();
    return proposal;
  }

  tell(outcome: Outcome<unknown>, ask: number): void {
    this.heard.push([ask, JSON.stringify(outcome)]);
  }

  result(): Heard {
    return this.heard;
  }
}

export function candidate(key: string, value: unknown = key): Proposal<unknown> {
  return { kind: "candidate", key, candidate: value };
}

/** Says wait until `count` outcomes have been told, then the proposal. */
export function when(count: number, proposal: Proposal<unknown>): (heard: Heard) => Proposal<unknown> {
  return (heard) => (heard.length < count ? { kind: "wait" } : proposal);
}

/** Asks for one more candidate once `count` outcomes have been told. */
export function until(count: number): (heard: Heard) => Proposal<unknown> {
  return when(count, candidate(`after-${count}`));
}

export interface Shape {
  readonly kind: "batch" | "waiting" | "endless";
  /** Candidates in all; an endless search never stops asking and is done once this many have been told. */
  readonly total: number;
  /** Batch size, or how many may be out before it waits. */
  readonly width: number;
  /** Keys repeat after this many. */
  readonly keys: number;
  /** Every n-th ask withdraws an earlier one that is still out; 0 for never. */
  readonly withdrawEvery: number;
}

/** A search whose next proposal depends on everything it was told: a wrong order changes all that follows. */
export class Shaped implements Search<{ n: number; mixed: number }, number, { mixed: number; told: number }> {
  readonly #shape: Shape;
  #asked = 0;
  #told = 0;
  #mixed = 17;
  #withdrawn = 0;
  #out = new Set<number>();
  #sinceWithdraw = 0;

  constructor(shape: Shape) {
    this.#shape = shape;
  }

  ask(): Proposal<{ n: number; mixed: number }> {
    const { kind, total, width, keys, withdrawEvery } = this.#shape;
    if (kind === "endless" ? this.#told >= total : this.#asked >= total && this.#out.size === 0)
      return { kind: "done" };
    if (kind !== "endless" && this.#asked >= total) return { kind: "wait" };
    if (withdrawEvery > 0 && this.#sinceWithdraw >= withdrawEvery && this.#out.size > 1) {
      this.#sinceWithdraw = 0;
      const ask = [...this.#out][this.#mixed % this.#out.size] ?? 0;
      this.#out.delete(ask);
      this.#withdrawn++;
      return { kind: "withdraw", ask };
    }
    if (kind === "batch" && this.#asked > 0 && this.#asked % width === 0 && this.#out.size > 0) return { kind: "wait" };
    if (kind === "waiting" && this.#out.size >= width) return { kind: "wait" };
    const ask = this.#asked++;
    this.#sinceWithdraw++;
    this.#out.add(ask);
    const n = (ask * 7 + this.#mixed) % keys;
    return { kind: "candidate", key: `k${n}`, candidate: { n, mixed: n * 3 } };
  }

  tell(outcome: Outcome<number>, ask: number): void {
    if (!this.#out.delete(ask)) throw new Error(`ask ${ask} was told but is not out`);
    this.#told++;
    const heard = outcome.ok ? outcome.value : outcome.failure.message.length;
    this.#mixed = (this.#mixed * 31 + Math.round(heard * 1000) + ask) % 1_000_003;
  }

  result(): { mixed: number; told: number } {
    return { mixed: this.#mixed, told: this.#told + this.#withdrawn * 1_000_000 };
  }
}
