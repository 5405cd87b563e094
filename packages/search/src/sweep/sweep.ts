import type { Outcome, Proposal, Search } from "@coppice/engine";

/** A candidate of a sweep with its key; equal keys are evaluated once. */
export interface SweepItem<Candidate> {
  readonly candidate: Candidate;
  readonly key: string;
}

/** Evaluates a fixed list: everything is asked at once, outcomes come back in the list's order. */
export class Sweep<Candidate, Value> implements Search<Candidate, Value, readonly Outcome<Value>[]> {
  readonly #items: readonly SweepItem<Candidate>[];
  readonly #outcomes: Outcome<Value>[] = [];
  #asked = 0;

  constructor(items: readonly SweepItem<Candidate>[]) {
    this.#items = items;
  }

  ask(): Proposal<Candidate> {
    const item = this.#items[this.#asked];
    if (item === undefined) return this.#outcomes.length === this.#items.length ? { kind: "done" } : { kind: "wait" };
    this.#asked++;
    return { kind: "candidate", ...item };
  }

  tell(outcome: Outcome<Value>): void {
    this.#outcomes.push(outcome);
  }

  result(): readonly Outcome<Value>[] {
    return this.#outcomes;
  }

  progress() {
    return { levels: [{ name: "Candidates", done: this.#outcomes.length, total: this.#items.length }] };
  }
}
