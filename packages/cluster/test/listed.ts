import type { Outcome, Proposal, Search } from "@coppice/engine";

/** Asks for a list, one by one; its result is what came of them. */
export class Listed<Candidate> implements Search<Candidate, unknown, readonly string[]> {
  readonly #candidates: readonly Candidate[];
  readonly #heard: string[] = [];
  #asked = 0;

  constructor(candidates: readonly Candidate[]) {
    this.#candidates = candidates;
  }

  ask(): Proposal<Candidate> {
    const ask = this.#asked;
    if (ask === this.#candidates.length) return this.#heard.length === ask ? { kind: "done" } : { kind: "wait" };
    this.#asked++;
    return { kind: "candidate", candidate: this.#candidates[ask], key: String(ask) };
  }

  tell(outcome: Outcome<unknown>): void {
    this.#heard.push(outcome.ok ? String(outcome.value).slice(0, 20) : outcome.failure.message);
  }

  result(): readonly string[] {
    return this.#heard;
  }
}
