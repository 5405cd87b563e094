import type { Outcome, Proposal, Search } from "@coppice/engine";

/** A candidate with the key under which it is evaluated once. */
export interface Yielded<Candidate> {
  readonly candidate: Candidate;
  readonly key: string;
}

/** A search as a generator: yields a batch of candidates, receives their outcomes in the same order, returns its result. */
export type SearchGenerator<Candidate, Value, Result> = Generator<
  Yielded<Candidate> | readonly Yielded<Candidate>[],
  Result,
  readonly Outcome<Value>[]
>;

/**
 * A search written as a generator. What it yields together is evaluated together, on as many workers as there are; it
 * goes on when all of it has been told. Nothing else may decide what it does: no clock, no random numbers but seeded ones.
 */
export function generated<Candidate, Value, Result>(
  begin: () => SearchGenerator<Candidate, Value, Result>,
): Search<Candidate, Value, Result> {
  return new GeneratedSearch(begin());
}

class GeneratedSearch<Candidate, Value, Result> implements Search<Candidate, Value, Result> {
  readonly #generator: SearchGenerator<Candidate, Value, Result>;
  #batch: readonly Yielded<Candidate>[] = [];
  #asked = 0;
  #outcomes: Outcome<Value>[] = [];
  #result: { readonly value: Result } | undefined;

  constructor(generator: SearchGenerator<Candidate, Value, Result>) {
    this.#generator = generator;
    this.#goOn();
  }

  ask(): Proposal<Candidate> {
    if (this.#result !== undefined) return { kind: "done" };
    const next = this.#batch[this.#asked];
    if (next === undefined) return { kind: "wait" };
    this.#asked++;
    return { kind: "candidate", candidate: next.candidate, key: next.key };
  }

  tell(outcome: Outcome<Value>): void {
    this.#outcomes.push(outcome);
    if (this.#outcomes.length === this.#batch.length) this.#goOn();
  }

  result(): Result {
    if (this.#result === undefined) throw new Error("the generator has not returned yet");
    return this.#result.value;
  }

  /** Runs the generator to its next batch; an empty one is answered at once. */
  #goOn(): void {
    for (;;) {
      const step = this.#generator.next(this.#outcomes);
      this.#outcomes = [];
      this.#asked = 0;
      if (step.done === true) {
        this.#result = { value: step.value };
        return;
      }
      this.#batch = isBatch(step.value) ? step.value : [step.value];
      if (this.#batch.length > 0) return;
    }
  }
}

function isBatch<Item>(value: Item | readonly Item[]): value is readonly Item[] {
  return Array.isArray(value);
}
