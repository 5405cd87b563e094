import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { PoolFactory } from "@coppice/engine";
import type { Pool } from "@coppice/engine/pools";
import { decode, encode } from "@coppice/engine/values";
import { Piscina } from "piscina";
import workerpool from "workerpool";
import type { Work } from "./work.ts";

/** Workers on every side. */
export const WORKERS = 2;

/** Unsettled tasks on the sides of others: what our local pools ask for by default. */
const IN_FLIGHT = 128 * WORKERS;

/** A pool to measure: opened once, warm, asked for several runs. */
export interface Side {
  /** Does the work `count` times; gives the milliseconds at which each task was known to be done, in that order. */
  readonly run: (work: Work, count: number) => Promise<Float64Array>;
  readonly close: () => Promise<void>;
}

/** Our pools, with what the engine does around them: candidates encoded before, values decoded after. */
export async function coppiceSide(factory: PoolFactory): Promise<Side> {
  let work: Work = { iterations: 0, payload: "" };
  let doneAt = new Float64Array(0);
  let submitted = 0;
  let settled = 0;
  let nextId = 0;
  let finish: (error?: Error) => void = () => {};
  const fill = (): void => {
    for (; submitted < doneAt.length && submitted - settled < pool.maxInFlight; submitted++) {
      const id = nextId++;
      pool.submit({ id, key: `task ${id}`, candidate: encode(work), attempt: 0, timeoutMs: 60_000 });
    }
  };
  const ready = Promise.withResolvers<void>();
  let readyCount = 0;
  const nothing = (): void => {};
  const pool: Pool = factory.open(
    {
      evaluatorUrl: new URL("./coppice-evaluator.ts", import.meta.url).href,
      context: "null",
      seed: 1,
      setupTimeoutMs: 30_000,
      maxValueBytes: 10_000_000,
      timers: false,
      runToken: `bench-${process.pid}`,
    },
    {
      started: nothing,
      settled: (results) => {
        const now = performance.now();
        for (const result of results) {
          if (!result.ok) return finish(new Error(`${result.failure.type}: ${result.failure.message}`));
          decode(result.encoded);
          doneAt[settled++] = now;
        }
        if (settled === doneAt.length) finish();
        else fill();
      },
      requeued: nothing,
      aborted: nothing,
      progress: nothing,
      log: nothing,
      worker: (_identity, state) => {
        if (state === "ready" && ++readyCount === pool.workers) ready.resolve();
      },
      timers: nothing,
      broken: (error) => {
        ready.reject(error);
        finish(error);
      },
    },
  );
  await ready.promise;
  return {
    run: (wanted, count) => {
      const { promise, resolve, reject } = Promise.withResolvers<Float64Array>();
      work = wanted;
      doneAt = new Float64Array(count);
      submitted = 0;
      settled = 0;
      finish = (error) => (error === undefined ? resolve(doneAt) : reject(error));
      fill();
      return promise;
    },
    close: () => pool.close(5000),
  };
}

export async function piscinaSide(): Promise<Side> {
  const pool = new Piscina({
    filename: new URL("./piscina-worker.ts", import.meta.url).href,
    minThreads: WORKERS,
    maxThreads: WORKERS,
  });
  return { run: (work, count) => keepInFlight(() => pool.run(work), count), close: () => pool.destroy() };
}

export async function workerpoolSide(workerType: "thread" | "process"): Promise<Side> {
  const pool = workerpool.pool(new URL("./workerpool-worker.ts", import.meta.url).pathname, {
    minWorkers: WORKERS,
    maxWorkers: WORKERS,
    workerType,
  });
  return {
    run: (work, count) => keepInFlight(async () => pool.exec("doWork", [work]), count),
    close: async () => {
      await pool.terminate();
    },
  };
}

/** Two threads that loop without any pool: what the machine can do at most. */
export async function bareSide(): Promise<Side> {
  const workers = Array.from({ length: WORKERS }, () => new Worker(new URL("./bare-worker.ts", import.meta.url)));
  return {
    run: async (work, count) => {
      await Promise.all(
        workers.map((worker) => {
          worker.postMessage({ work, count: count / WORKERS });
          return once(worker, "message");
        }),
      );
      return new Float64Array([performance.now()]);
    },
    close: async () => {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}

async function keepInFlight(run: () => Promise<unknown>, count: number): Promise<Float64Array> {
  const doneAt = new Float64Array(count);
  let started = 0;
  let done = 0;
  const lane = async (): Promise<void> => {
    while (started < count) {
      started++;
      await run();
      doneAt[done++] = performance.now();
    }
  };
  await Promise.all(Array.from({ length: Math.min(IN_FLIGHT, count) }, lane));
  return doneAt;
}
