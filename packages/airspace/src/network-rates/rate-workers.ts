import type { PoolFactory } from "@coppice/engine";
import type { PoolResult } from "@coppice/engine/pools";
import { decode, encode } from "@coppice/engine/values";
import type { Weights } from "../network/weights.ts";
import type { RateVector } from "../rate-search/rate-search.ts";
import type { NetworkTask } from "./network-model.ts";

/** One vector to score, and for which regulation after which plan. */
export interface VectorTask {
  readonly task: NetworkTask;
  readonly vector: RateVector;
}

const evaluator = new URL("./vector-evaluator.ts", import.meta.url);

/** Workers that stay and score rate vectors of one regulation after another; each has the day and builds its own tables. */
export class RateWorkers {
  readonly #pool: ReturnType<PoolFactory["open"]>;
  readonly #waiting = new Map<number, { resolve: (value: number) => void; reject: (error: Error) => void }>();
  #next = 0;

  constructor(factory: PoolFactory, weights: Weights, shared: Readonly<Record<string, SharedArrayBuffer>>) {
    const job = {
      evaluatorUrl: evaluator.href,
      context: encode(weights),
      shared,
      seed: 0,
      setupTimeoutMs: 60_000,
      maxValueBytes: 1024,
      timers: false,
      runToken: crypto.randomUUID(),
    };
    const ignore = () => {};
    this.#pool = factory.open(job, {
      settled: (results) => this.#settle(results),
      broken: (error) => this.#break(error),
      started: ignore,
      requeued: ignore,
      aborted: ignore,
      progress: ignore,
      log: ignore,
      worker: ignore,
      timers: ignore,
    });
  }

  /** Scores vectors of one task; the scores come in the order of the vectors, whoever is done first. */
  async score(task: NetworkTask, vectors: readonly RateVector[]): Promise<readonly number[]> {
    const scores: Promise<number>[] = [];
    for (const vector of vectors) {
      if (scores.length >= this.#pool.maxInFlight) await scores[scores.length - this.#pool.maxInFlight];
      scores.push(this.#submit({ task, vector }));
    }
    return Promise.all(scores);
  }

  async close(): Promise<void> {
    await this.#pool.close(1000);
  }

  #submit(candidate: VectorTask): Promise<number> {
    const id = this.#next++;
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    this.#waiting.set(id, { resolve, reject });
    this.#pool.submit({ id, key: String(id), candidate: encode(candidate), attempt: 0, timeoutMs: 0 });
    return promise;
  }

  #settle(results: readonly PoolResult[]): void {
    for (const result of results) {
      const waiting = this.#waiting.get(result.id);
      this.#waiting.delete(result.id);
      if (result.ok) waiting?.resolve(decode(result.encoded) as number);
      else waiting?.reject(new Error(`a rate worker failed: ${result.failure.type}: ${result.failure.message}`));
    }
  }

  #break(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
