const WINDOW_MS = 10_000;
const SAMPLE_EVERY_MS = 250;

/** How fast something grows, over the last ten seconds; keeps at most some forty samples. */
export class Pace {
  #samples: { readonly at: number; readonly count: number }[] = [];
  #count = 0;

  /** Takes note of one more, or several, at a moment; moments never go back. */
  add(at: number, count = 1): void {
    this.#count += count;
    this.#sample(at);
  }

  /** Per second at `now`: a stalled run's rate falls to 0. Undefined while there is too little to say. */
  perSecond(now: number): number | undefined {
    const first = this.#samples[0];
    if (first === undefined) return undefined;
    if (now - (this.#samples.at(-1)?.at ?? now) > WINDOW_MS) return 0;
    // The oldest sample inside the window, or the one just before it.
    const since = this.#samples.findLast((sample) => sample.at <= now - WINDOW_MS) ?? first;
    const ms = now - since.at;
    return ms >= SAMPLE_EVERY_MS ? ((this.#count - since.count) * 1000) / ms : undefined;
  }

  #sample(at: number): void {
    const last = this.#samples.at(-1);
    if (last !== undefined && at - last.at < SAMPLE_EVERY_MS) return;
    this.#samples.push({ at, count: this.#count });
    if (this.#samples.length > (2 * WINDOW_MS) / SAMPLE_EVERY_MS) {
      const keep = this.#samples.findLastIndex((sample) => sample.at <= at - WINDOW_MS);
      this.#samples = this.#samples.slice(Math.max(keep, this.#samples.length - WINDOW_MS / SAMPLE_EVERY_MS - 2));
    }
  }
}
