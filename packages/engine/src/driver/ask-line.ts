/** The unanswered asks, in ask order. Withdrawn ones leave at once but keep their number. */
export class AskLine {
  readonly #slots: (AskSlot | undefined)[] = [];
  #head = 0;
  /** Ask number of `#slots[0]`. */
  #base = 0;
  #unanswered = 0;

  /** How many candidates were ever asked; the next one gets this number. */
  asked = 0;

  get unanswered(): number {
    return this.#unanswered;
  }

  push(key: string): number {
    const ask = this.asked++;
    this.#slots.push({ ask, key });
    this.#unanswered++;
    return ask;
  }

  /** The next ask to be told, skipping withdrawn ones. */
  get head(): AskSlot | undefined {
    while (this.#head < this.#slots.length) {
      const slot = this.#slots[this.#head];
      if (slot !== undefined) return slot;
      this.#head++;
    }
    return undefined;
  }

  /** Takes the head out: it has been answered. */
  shift(): void {
    this.#head++;
    this.#unanswered--;
    if (this.#head > 1024 && this.#head * 2 > this.#slots.length) {
      this.#slots.splice(0, this.#head);
      this.#base += this.#head;
      this.#head = 0;
    }
  }

  /** Takes one ask out of the line; undefined when it is not waiting there. */
  withdraw(ask: number): AskSlot | undefined {
    const index = ask - this.#base;
    if (!Number.isInteger(index) || index < this.#head) return undefined;
    const slot = this.#slots[index];
    if (slot === undefined) return undefined;
    this.#slots[index] = undefined;
    this.#unanswered--;
    return slot;
  }
}

export interface AskSlot {
  readonly ask: number;
  readonly key: string;
}
