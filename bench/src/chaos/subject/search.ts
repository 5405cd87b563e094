import type { Outcome, Proposal, Search } from "@coppice/engine";

const WINDOW = 6;

/** Every proposal depends on all outcomes told so far, so that one wrong, missing or misplaced outcome changes the digest. */
export class MixingSearch implements Search<number, number, number> {
  readonly #total: number;
  #asked = 0;
  #told = 0;
  #mixed = 1;

  constructor(total: number) {
    this.#total = total;
  }

  ask(): Proposal<number> {
    if (this.#told >= this.#total) return { kind: "done" };
    if (this.#asked >= this.#total || this.#asked - this.#told >= WINDOW) return { kind: "wait" };
    const n = (this.#mixed + this.#asked) % (this.#total * 2);
    this.#asked++;
    return { kind: "candidate", candidate: n, key: `n${n}` };
  }

  tell(outcome: Outcome<number>): void {
    this.#told++;
    const heard = outcome.ok ? outcome.value : outcome.failure.message.length;
    this.#mixed = (this.#mixed * 31 + Math.floor(heard * 1e6)) % 1_000_003;
  }

  result(): number {
    return this.#mixed;
  }
}
