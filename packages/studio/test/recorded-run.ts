import type { Outcome, PoolFactory, Proposal, Run, Search, SearchProgress } from "@coppice/engine";
import { start, threads } from "@coppice/engine";

/** What a recorded run is like. */
export interface Recording {
  readonly tasks: number;
  readonly delayMs?: number;
  readonly failEvery?: number;
  /** Text in front of every key and value. */
  readonly text?: string;
  /** Every task logs and prints what it does, and its key, a letter, does not say which number it squares. */
  readonly tells?: boolean;
  readonly pool?: PoolFactory;
  readonly resume?: boolean;
}

/** Asks for 0 … tasks − 1; the best value falls as more is told. */
class Sweep implements Search<number, unknown, number> {
  readonly #tasks: number;
  readonly #keyOf: (n: number) => string;
  #asked = 0;
  #told = 0;

  constructor(tasks: number, keyOf: (n: number) => string) {
    this.#tasks = tasks;
    this.#keyOf = keyOf;
  }

  ask(): Proposal<number> {
    if (this.#asked === this.#tasks) return this.#told === this.#tasks ? { kind: "done" } : { kind: "wait" };
    const n = this.#asked++;
    return { kind: "candidate", candidate: n, key: this.#keyOf(n) };
  }

  tell(_outcome: Outcome<unknown>): void {
    this.#told++;
  }

  result(): number {
    return this.#told;
  }

  progress(): SearchProgress {
    const best = 1000 / (1 + Math.floor(Math.sqrt(this.#told)));
    return { best, levels: [{ name: "Numbers", done: this.#told, total: this.#tasks }] };
  }
}

/** Starts a real run in a directory, written down as every run is. */
export function beginRun(directory: string, recording: Recording): Promise<Run<number>> {
  const { tasks, delayMs = 0, failEvery = 0, text = "", tells = false, resume = false } = recording;
  const { pool = threads({ workers: 2 }) } = recording;
  return start({
    search: new Sweep(tasks, (n) => (tells ? String.fromCharCode(97 + n) : `${text}n=${n}`)),
    evaluator: new URL("./evaluator.ts", import.meta.url),
    context: { delayMs, failEvery, text, tells },
    pool,
    timers: true,
    journal: { directory, tool: "library", resume },
  });
}
