import type { Proposal, Search } from "@coppice/engine";

/** The most trivial search: 0, 1, 2, …, done. */
export class CountUp implements Search<number, number, number> {
  readonly #total: number;
  #asked = 0;
  #told = 0;

  constructor(total: number) {
    this.#total = total;
  }

  ask(): Proposal<number> {
    if (this.#asked === this.#total) return this.#told === this.#total ? { kind: "done" } : { kind: "wait" };
    const candidate = this.#asked++;
    return { kind: "candidate", candidate, key: `k${candidate}` };
  }

  tell(): void {
    this.#told++;
  }

  result(): number {
    return this.#told;
  }
}
