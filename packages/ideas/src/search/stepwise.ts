import type { Outcome, Proposal } from "@coppice/engine";

/** A task and what is done with its outcome. */
export interface Step<Task, Value> {
  readonly key: string;
  readonly task: Task;
  readonly tell: (outcome: Outcome<Value>) => void;
}

/**
 * Turns work with barriers, written as a generator, into asks and tells: the steps of a batch are proposed together,
 * and the generator goes on when the last of them has been told.
 */
export class Stepwise<Task, Value> {
  readonly #batches: Iterator<readonly Step<Task, Value>[], void>;
  #batch: readonly Step<Task, Value>[] = [];
  /** Ask number of the batch's first step. */
  #first = 0;
  #asked = 0;
  #told = 0;
  #over = false;

  constructor(batches: Iterator<readonly Step<Task, Value>[], void>) {
    this.#batches = batches;
  }

  ask(): Proposal<Task> {
    while (!this.#over && this.#told === this.#batch.length) this.#advance();
    if (this.#over) return { kind: "done" };
    const step = this.#batch[this.#asked];
    if (step === undefined) return { kind: "wait" };
    this.#asked++;
    return { kind: "candidate", candidate: step.task, key: step.key };
  }

  tell(outcome: Outcome<Value>, ask: number): void {
    const step = this.#batch[ask - this.#first];
    if (step === undefined) throw new Error(`ask ${ask} is not out`);
    this.#told++;
    step.tell(outcome);
  }

  #advance(): void {
    this.#first += this.#batch.length;
    const next = this.#batches.next();
    this.#over = next.done === true;
    this.#batch = next.done === true ? [] : next.value;
    this.#asked = 0;
    this.#told = 0;
  }
}
