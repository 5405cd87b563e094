/** Lets at most `capacity` holders go on at once; the others wait in line. */
export class Limiter {
  readonly capacity: number;
  #free: number;
  /** Holders that lent their slot and want one back: first, so that what was begun is finished before more is begun. */
  readonly #returning = new Set<() => void>();
  readonly #waiting = new Set<() => void>();

  constructor(capacity: number) {
    this.capacity = capacity;
    this.#free = capacity;
  }

  /** Resolves to true with a slot, or to false without one when `signal` is aborted first. */
  acquire(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    if (this.#free > 0) {
      this.#free--;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const granted = () => {
        signal.removeEventListener("abort", aborted);
        resolve(true);
      };
      const aborted = () => {
        this.#waiting.delete(granted);
        resolve(false);
      };
      this.#waiting.add(granted);
      signal.addEventListener("abort", aborted, { once: true });
    });
  }

  /** A slot for someone who had one before and lent it. */
  reacquire(): Promise<void> {
    if (this.#free > 0) {
      this.#free--;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      this.#returning.add(resolve);
    });
  }

  release(): void {
    const line = this.#returning.size > 0 ? this.#returning : this.#waiting;
    const [next] = line;
    if (next === undefined) {
      this.#free++;
      return;
    }
    line.delete(next);
    next();
  }
}
