import { AsyncLocalStorage } from "node:async_hooks";
import { availableCores, WAITING_LIMIT } from "../cores/core-budget.ts";
import { Limiter } from "./limiter.ts";

/** Work that waits for others (networks, models, child processes), or that needs a core. */
export type WorkKind = "waiting" | "computing";

/** The limits that a call and everything nested in it share. */
export type LimiterFamily = Readonly<Record<WorkKind, Limiter>>;

/** How many run at once when nobody says otherwise: 50 that wait, or one per core. */
export const defaultLimit: Readonly<Record<WorkKind, number>> = {
  waiting: WAITING_LIMIT,
  computing: availableCores(),
};

/** The limits of the whole process. */
export const processWide: LimiterFamily = {
  waiting: new Limiter(defaultLimit.waiting),
  computing: new Limiter(defaultLimit.computing),
};

/**
 * The slot of one running item. While the item waits for a nested call it lends the slot out, so that nested calls share one
 * limit and can never wait for each other in a circle.
 */
export class HeldSlot {
  readonly family: LimiterFamily;
  /** Aborted when the item is given up. */
  readonly signal: AbortSignal;
  readonly #limiter: Limiter;
  #holding = true;
  #loans = 0;
  #ended = false;

  constructor(family: LimiterFamily, kind: WorkKind, signal: AbortSignal) {
    this.family = family;
    this.#limiter = family[kind];
    this.signal = signal;
  }

  async lendDuring<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#loans++;
    this.#letGo();
    try {
      return await work();
    } finally {
      this.#loans--;
      await this.#takeBack();
    }
  }

  end(): void {
    this.#ended = true;
    this.#letGo();
  }

  #letGo(): void {
    if (!this.#holding) return;
    this.#holding = false;
    this.#limiter.release();
  }

  async #takeBack(): Promise<void> {
    if (this.#ended || this.#loans > 0) return;
    await this.#limiter.reacquire();
    // The item may have ended, or lent its slot once more, while it stood in line.
    if (this.#ended || this.#loans > 0 || this.#holding) this.#limiter.release();
    else this.#holding = true;
  }
}

/** The slot that the running code holds, found through any number of awaits. */
export const ambientSlot = new AsyncLocalStorage<HeldSlot>();
