import type { Outcome, Proposal, Search } from "@coppice/engine";

/** Asks for the squares of 0, 1, 2, … and adds them up; every third question depends on what has been told so far. */
export class Squares implements Search<number, number, number> {
  readonly #count: number;
  #asked = 0;
  #sum = 0;
  readonly told: number[] = [];

  constructor(count: number) {
    this.#count = count;
  }

  ask(): Proposal<number> {
    if (this.#asked === this.#count) return this.told.length === this.#count ? { kind: "done" } : { kind: "wait" };
    const number = this.#asked++;
    const candidate = number % 3 === 2 ? number + (this.#sum % 1000) : number;
    return { kind: "candidate", candidate, key: `${number}:${candidate}` };
  }

  tell(outcome: Outcome<number>, ask: number): void {
    if (!outcome.ok) throw new Error(`ask ${ask}: ${outcome.failure.type}: ${outcome.failure.message}`);
    this.#sum += outcome.value;
    this.told.push(ask);
  }

  result(): number {
    return this.#sum;
  }
}
