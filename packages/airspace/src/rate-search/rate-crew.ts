import { type EvaluationCache, openCache, type PoolFactory } from "@coppice/engine";
import { CoreBudget } from "@coppice/engine/cores";
import { poolOf } from "@coppice/engine/pools";
import type { TimerTotals } from "@coppice/engine/timers";
import { addTimerTotals } from "@coppice/engine/timers";
import { findRatesOnPool } from "./pooled-rates.ts";
import type { RateFinder, RateFinding } from "./rate-finder.ts";

/** Who scores rates. None of this changes what is found. */
export interface CrewRequest {
  /** 0: this process alone. */
  readonly workers: number;
  /** Kind of pool they form. */
  readonly pool: string;
  readonly chunkSize: number | undefined;
  readonly maxTasksInFlight: number | undefined;
  /** File with scores of earlier searches. */
  readonly cacheFile: string | undefined;
  readonly profile: boolean;
}

/** Runs rate searches in this process or on workers, and owns the cache they share. */
export class RateCrew implements Disposable {
  /** Worth saying to whoever asked. */
  readonly notices: readonly string[];
  /** What the workers' timers collected. */
  timers: TimerTotals = {};
  readonly #pool: Promise<PoolFactory> | undefined;
  readonly #cache: EvaluationCache | undefined;
  readonly #profile: boolean;

  constructor(request: CrewRequest) {
    this.#profile = request.profile;
    this.#cache = request.cacheFile === undefined ? undefined : openCache(request.cacheFile);
    if (request.workers === 0) {
      this.#pool = this.#cache === undefined ? undefined : poolOf("inline");
      this.notices = [];
      return;
    }
    const { workers, notice } = new CoreBudget().grant(request.workers);
    const options = {
      workers,
      ...(request.chunkSize === undefined ? {} : { chunk: request.chunkSize }),
      ...(request.maxTasksInFlight === undefined ? {} : { maxInFlight: request.maxTasksInFlight }),
    };
    this.#pool = poolOf(request.pool, options);
    this.notices = notice === undefined ? [] : [`--num-workers-rf: ${notice}`];
  }

  async find<Task>(finder: RateFinder<Task>, task: Task): Promise<RateFinding | undefined> {
    if (this.#pool === undefined) return finder.find(task);
    const { finding, timers } = await findRatesOnPool(finder, task, await this.#pool, {
      timers: this.#profile,
      ...(this.#cache === undefined ? {} : { cache: this.#cache }),
    });
    this.timers = addTimerTotals(this.timers, timers);
    return finding;
  }

  [Symbol.dispose](): void {
    this.#cache?.close();
  }
}
