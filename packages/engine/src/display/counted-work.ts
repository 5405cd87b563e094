import type { TaskProgress } from "../contract/evaluator.ts";

/** What tasks that count something (`unit`) did together. */
export interface WorkView {
  readonly unit: string;
  readonly done: number;
  /** Of all tasks asked so far; those that have not said theirs count as the mean of the others. */
  readonly total: number;
  /** Per second over the last seconds. */
  readonly rate: number | undefined;
  /** Best value of any task, if they say one. */
  readonly best: number | undefined;
}

/** Adds up what tasks report of themselves while they run. Holds the running ones only. */
export class CountedWork {
  readonly #running = new Map<number, TaskProgress>();
  readonly #pace = new Pace();
  #unit: string | undefined;
  #endedDone = 0;
  #endedTotal = 0;
  #ended = 0;
  #best: number | undefined;

  reports(at: number, ask: number, progress: TaskProgress): void {
    if (progress.unit === undefined) return;
    this.#unit = progress.unit;
    const before = this.#running.get(ask)?.done ?? 0;
    this.#pace.add(at, Math.max(0, progress.done - before));
    this.#running.set(ask, progress);
    const { best, goal } = progress;
    if (best === undefined) return;
    if (this.#best === undefined || (goal === "most" ? best > this.#best : best < this.#best)) this.#best = best;
  }

  /** The task ended with an outcome: whatever it had left was not needed. */
  ends(at: number, ask: number): void {
    const last = this.#running.get(ask);
    if (last === undefined) return;
    this.#running.delete(ask);
    this.#pace.add(at, Math.max(0, last.total - last.done));
    this.#endedDone += last.total;
    this.#endedTotal += last.total;
    this.#ended++;
  }

  /** The task will start again, or not at all. */
  forgets(ask: number): void {
    this.#running.delete(ask);
  }

  /** Undefined until a task has counted something. */
  view(now: number, asked: number, told: number): WorkView | undefined {
    if (this.#unit === undefined) return undefined;
    let [done, total] = [this.#endedDone, this.#endedTotal];
    for (const progress of this.#running.values()) {
      done += Math.min(progress.done, progress.total);
      total += progress.total;
    }
    const known = this.#ended + this.#running.size;
    // Answers from a journal or a cache counted nothing here.
    const silent = Math.max(0, asked - Math.max(told, this.#ended) - this.#running.size);
    if (known > 0) total += (silent * total) / known;
    return { unit: this.#unit, done, total, rate: this.#pace.perSecond(now), best: this.#best };
  }
}

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
