import { afterLooking } from "../child-process/patient-timer.ts";
import { ambientSlot, defaultLimit, HeldSlot, type LimiterFamily, processWide, type WorkKind } from "./held-slot.ts";
import { Limiter } from "./limiter.ts";
import { type RetryOptions, retryDelayMs } from "./retry.ts";

/** What became of one item. `error` is the very object that was thrown. */
export type MapResult<Item, Value> =
  | { readonly index: number; readonly item: Item; readonly status: "ok"; readonly value: Value }
  | { readonly index: number; readonly item: Item; readonly status: "failed"; readonly error: unknown }
  | { readonly index: number; readonly item: Item; readonly status: "cancelled"; readonly reason: unknown };

/** What the function of a map is told besides its item. */
export interface MapTask {
  readonly index: number;
  /** 0 for the first attempt. */
  readonly attempt: number;
  /** Aborted on timeout, at the first failure with `failFast`, with the caller's own signal, and with an outer item's. */
  readonly signal: AbortSignal;
}

/** How many items have ended, and how. */
export interface MapProgress {
  readonly done: number;
  readonly total: number;
  readonly failed: number;
}

/** How many items at once, what to do about failures, and who is told. */
export interface MapOptions {
  /** Default `waiting`: at most 50 at once. `computing`: at most one per core. */
  readonly kind?: WorkKind;
  /** At most this many items of this call at once. More than the process-wide limit is allowed: the call then has a limit of its own. */
  readonly limit?: number;
  /** Stop everything at the first failure; what had not ended is `cancelled`. */
  readonly failFast?: boolean;
  /** Wall-clock limit of one attempt. */
  readonly timeoutMs?: number;
  /** Stops everything; what had not ended is `cancelled`. */
  readonly signal?: AbortSignal;
  /** Called after every item that ends; `done` only grows, and ends at `total`. */
  readonly progress?: (progress: MapProgress) => void;
  readonly retry?: RetryOptions;
}

/** An attempt took longer than `timeoutMs`. */
export class MapTimeout extends Error {
  override readonly name = "MapTimeout";
}

/**
 * Calls `work` for every item, several at once, and returns the results in the order of the items. Never rejects because
 * of an item: failures and cancellations are results.
 *
 * Nested calls share one limit: an item that waits for an inner `parallelMap` lends its slot to it. Work that ignores
 * its signal is not waited for: it goes on unseen, and its slot is free.
 */
export async function parallelMap<Item, Value>(
  items: readonly Item[],
  work: (item: Item, task: MapTask) => Value | Promise<Value>,
  options: MapOptions = {},
): Promise<MapResult<Item, Value>[]> {
  checkOptions(options);
  const outer = ambientSlot.getStore();
  const map = () => new ParallelMap(items, work, options, outer).run();
  return outer === undefined ? map() : outer.lendDuring(map);
}

class ParallelMap<Item, Value> {
  readonly #items: readonly Item[];
  readonly #work: (item: Item, task: MapTask) => Value | Promise<Value>;
  readonly #options: MapOptions;
  readonly #kind: WorkKind;
  readonly #family: LimiterFamily;
  readonly #limit: number;
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  readonly #results: MapResult<Item, Value>[] = [];
  /** Gives up each attempt that is under way. */
  readonly #giveUp = new Set<(reason: unknown) => void>();
  #next = 0;
  #done = 0;
  #failed = 0;

  constructor(
    items: readonly Item[],
    work: (item: Item, task: MapTask) => Value | Promise<Value>,
    options: MapOptions,
    outer: HeldSlot | undefined,
  ) {
    this.#items = items;
    this.#work = work;
    this.#options = options;
    this.#kind = options.kind ?? "waiting";
    this.#limit = options.limit ?? defaultLimit[this.#kind];
    this.#family = outer?.family ?? familyFor(this.#kind, this.#limit);
    const signals = [this.#stop.signal, options.signal, outer?.signal].filter((signal) => signal !== undefined);
    this.#signal = signals.length === 1 ? this.#stop.signal : AbortSignal.any(signals);
  }

  async run(): Promise<MapResult<Item, Value>[]> {
    const aborted = (): void => {
      for (const giveUp of this.#giveUp) giveUp(this.#signal.reason);
    };
    this.#signal.addEventListener("abort", aborted);
    const runners = Array.from({ length: Math.min(this.#items.length, this.#limit) }, () => this.#runItems());
    try {
      await Promise.all(runners);
    } catch (error) {
      // Only the caller's own progress callback can throw here.
      this.#stop.abort(error);
      throw error;
    } finally {
      this.#signal.removeEventListener("abort", aborted);
    }
    return this.#results;
  }

  async #runItems(): Promise<void> {
    while (this.#next < this.#items.length) {
      const index = this.#next++;
      const result = await this.#runItem(index);
      this.#results[index] = result;
      this.#done++;
      if (result.status === "failed") {
        this.#failed++;
        if (this.#options.failFast) this.#stop.abort(new Error(`item ${index} failed`, { cause: result.error }));
      }
      this.#options.progress?.({ done: this.#done, total: this.#items.length, failed: this.#failed });
    }
  }

  async #runItem(index: number): Promise<MapResult<Item, Value>> {
    const item = this.#items[index];
    for (let attempt = 0; ; attempt++) {
      try {
        if (!(await this.#family[this.#kind].acquire(this.#signal))) break;
        return { index, item, status: "ok", value: await this.#attempt(item, index, attempt) };
      } catch (error) {
        if (this.#signal.aborted) break;
        const delayMs = retryDelayMs(error, attempt, index, this.#options.retry ?? {});
        if (delayMs === undefined) return { index, item, status: "failed", error };
        const { setTimeout: sleep } = await import("node:timers/promises");
        await sleep(delayMs, undefined, { signal: this.#signal }).catch(() => {});
      }
    }
    return { index, item, status: "cancelled", reason: this.#signal.reason };
  }

  /** Runs the work in the slot just acquired, until it ends or its signal is aborted, whichever is first. */
  async #attempt(item: Item, index: number, attempt: number): Promise<Value> {
    const { timeoutMs } = this.#options;
    const timeout = timeoutMs === undefined ? undefined : new AbortController();
    const signal = timeout === undefined ? this.#signal : AbortSignal.any([this.#signal, timeout.signal]);
    const slot = new HeldSlot(this.#family, this.#kind, signal);
    const { promise, resolve, reject } = Promise.withResolvers<Value>();
    this.#giveUp.add(reject);
    const callOff =
      timeout === undefined || timeoutMs === undefined
        ? () => {}
        : afterLooking(timeoutMs, () => {
            const error = new MapTimeout(`took longer than ${timeoutMs} ms`);
            reject(error);
            timeout.abort(error);
          });
    try {
      signal.throwIfAborted();
      ambientSlot.run(slot, async () => this.#work(item, { index, attempt, signal })).then(resolve, reject);
      return await promise;
    } finally {
      callOff();
      this.#giveUp.delete(reject);
      slot.end();
    }
  }
}

/** The process-wide limits, unless a call asks for more than they allow. */
function familyFor(kind: WorkKind, limit: number): LimiterFamily {
  return limit <= processWide[kind].capacity ? processWide : { ...processWide, [kind]: new Limiter(limit) };
}

function checkOptions({ limit, timeoutMs, retry }: MapOptions): void {
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 1)) {
    throw new RangeError(`limit is a whole number of at least 1, not ${limit}`);
  }
  if (timeoutMs !== undefined && !(timeoutMs > 0 && timeoutMs < 2 ** 31)) {
    throw new RangeError(`timeoutMs is a number of milliseconds above 0 and below 2^31, not ${timeoutMs}`);
  }
  if (retry?.retries !== undefined && !(Number.isSafeInteger(retry.retries) && retry.retries >= 0)) {
    throw new RangeError(`retry.retries is a whole number of at least 0, not ${retry.retries}`);
  }
}
