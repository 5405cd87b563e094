/** A score that was asked for; the value is missing until it is told. */
export interface KnownScore {
  objective: number | undefined;
}

/** The scores asked for most recently, up to a size; asking again makes a score recent. */
export class RecentScores {
  readonly #size: number;
  readonly #scores = new Map<string, KnownScore>();

  constructor(size: number) {
    this.#size = size;
  }

  find(key: string): KnownScore | undefined {
    const known = this.#scores.get(key);
    if (known === undefined) return undefined;
    this.#scores.delete(key);
    this.#scores.set(key, known);
    return known;
  }

  /** Remembers a score to come and forgets the one unused for longest. */
  add(key: string): KnownScore {
    const score: KnownScore = { objective: undefined };
    this.#scores.set(key, score);
    if (this.#scores.size > this.#size) {
      const [oldest] = this.#scores.keys();
      this.#scores.delete(oldest);
    }
    return score;
  }
}
