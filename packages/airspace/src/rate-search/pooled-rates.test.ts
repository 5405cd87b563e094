import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import {
  inline,
  type Outcome,
  openCache,
  type PoolFactory,
  type Proposal,
  processes,
  type Search,
  start,
  threads,
} from "@coppice/engine";
import type { PoolTask } from "@coppice/engine/pools";
import { isLongSoak } from "@coppice/engine/soak";
import { encode } from "@coppice/engine/values";
import { goldenSearches } from "../../test/golden-rates.ts";
import type { GoldenVector } from "../../test/golden-rates-evaluator.ts";
import { randomInstance } from "../../test/random-instance.ts";
import { networkModels } from "../network-rates/network-model.ts";
import { findRatesOnPool } from "./pooled-rates.ts";
import { RateFinder } from "./rate-finder.ts";
import type { RateSearch } from "./rate-search.ts";
import { openTables, shareTables } from "./rate-tables.ts";

const pools: [string, PoolFactory][] = [
  ["inline", inline()],
  ...[1, 2, 4].map((workers): [string, PoolFactory] => [`${workers} threads`, threads({ workers })]),
  ...[1, 2, 4].map((workers): [string, PoolFactory] => [`${workers} processes`, processes({ workers })]),
  ["2 threads, one candidate per message, two in flight", threads({ workers: 2, chunk: 1, maxInFlight: 2 })],
];

/** These also answer repeated calls; the others are for a soak. */
const usualPools = ["inline", "2 threads", "2 processes"];

const largest = goldenSearches[goldenSearches.length - 1];

/** Every published search as one process finds it, once for all pools. */
const serialSearches = once(() =>
  goldenSearches.map(({ name: label, finder, task }) => {
    const { evaluate, search, finding } = finder().prepare(task) ?? assert.fail();
    for (let ask = 0, next = search.ask(); next.kind === "candidate"; ask++, next = search.ask()) {
      search.tell({ ok: true, value: evaluate(next.candidate) }, ask);
    }
    return { label, result: search.result(), finding, found: finder().find(task) };
  }),
);

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}

describe("rates found on a pool", () => {
  for (const [name, pool] of isLongSoak()
    ? pools
    : pools.filter(([name]) => name.includes("per message") || usualPools.includes(name))) {
    // Processes share nothing with this one: each builds its tables anew.
    const numbers = name.endsWith("processes") ? "F-03, F-07, F-18, F-26" : "F-03, F-07, F-26";
    it(`${numbers}: ${name}: rates, ΔJ, history and counts of every published search are those of the serial one`, async () => {
      const searches = goldenSearches.map(({ finder, task }) => {
        const prepared = finder().prepare(task);
        assert.ok(prepared !== undefined);
        return prepared.search;
      });
      const evaluator = new URL("../../test/golden-rates-evaluator.ts", import.meta.url);
      const run = await start({ search: new OneAfterAnother(searches), evaluator, pool });
      await run.finished;
      serialSearches().forEach(({ label, result, finding, found }, i) => {
        assert.deepEqual(searches[i].result(), result, label);
        assert.deepEqual(finding(searches[i].result()), found, label);
      });
    });

    if (!usualPools.includes(name)) continue;
    it(`F-07: ${name}: a repeated call evaluates nothing`, async () => {
      const serial = largest.finder();
      const pooled = largest.finder();
      for (const call of ["first", "second"]) {
        const { finding } = await findRatesOnPool(pooled, largest.task, pool);
        assert.deepEqual(finding, serial.find(largest.task), `${call} call`);
      }
    });
  }

  it("F-04: does not care in which order scores come back", async () => {
    const { task, finder } = largest;
    for (const seed of [1, 2, 3]) {
      const { finding } = await findRatesOnPool(finder(), task, shuffled(threads({ workers: 2, chunk: 1 }), seed));
      assert.deepEqual(finding, finder().find(task));
    }
  });

  it("works on the network's tables too", async () => {
    const instance = randomInstance(12);
    const flows = instance.flowNames[0].map((_, flow) => flow);
    const task = { volume: 0, window: [0, instance.binCount], flows, mode: "per_flow" } as const;
    const finder = () => new RateFinder(networkModels(instance), { adaptiveGrid: true });
    const { finding } = await findRatesOnPool(finder(), task, threads({ workers: 2 }));
    assert.deepEqual(finding, finder().find(task));
  });

  it("F-05: sends rates and nothing else: a task is as small for 160 flights as for 4", async () => {
    const longest = async (name: string) => {
      const sizes: number[] = [];
      const chosen = goldenSearches.filter((example) => example.name.startsWith(name));
      for (const { task, finder } of chosen) await findRatesOnPool(finder(), task, watched(inline(), sizes));
      assert.ok(sizes.length > 0);
      return Math.max(...sizes);
    };
    const [small, large] = [await longest("tiny1"), await longest("medium1")];
    assert.ok(large <= 64, `${large} bytes for a task of two rates`);
    assert.ok(Math.abs(large - small) <= 8, `${small} bytes with 4 flights, ${large} with 160`);
  });

  it("F-06: never has more candidates out than allowed", async () => {
    const { task, finder } = largest;
    for (const maxInFlight of [1, 3]) {
      let out = 0;
      let most = 0;
      const counted = counting(threads({ workers: 2, maxInFlight }), (change) => {
        out += change;
        most = Math.max(most, out);
      });
      await findRatesOnPool(finder(), task, counted);
      assert.equal(out, 0);
      assert.ok(most > 0 && most <= maxInFlight, `${most} out, at most ${maxInFlight} allowed`);
    }
  });

  it("F-20: finds and counts the same without a shared cache, with a cold one and with a warm one", async () => {
    const folder = mkdtempSync(join(tmpdir(), "coppice-rates-"));
    const cache = openCache(join(folder, "scores.sqlite"));
    try {
      const { task, finder } = largest;
      const without = finder().find(task);
      for (const state of ["cold", "warm"]) {
        let submitted = 0;
        const watchedPool = counting(inline(), (change) => {
          if (change > 0) submitted++;
        });
        const { finding } = await findRatesOnPool(finder(), task, watchedPool, { cache });
        assert.deepEqual(finding, without, state);
        assert.equal(submitted > 0, state === "cold", "a warm cache answers everything");
      }
    } finally {
      cache.close();
      rmSync(folder, { recursive: true });
    }
  });

  it("F-19: gives workers the tables as views of shared memory", () => {
    const prepared = largest.finder().prepare(largest.task);
    assert.ok(prepared !== undefined);
    const { header, shared } = shareTables(prepared.tables);
    assert.ok(Object.values(shared).every((buffer) => buffer instanceof SharedArrayBuffer));
    assert.ok(encode(header).length < 1_000, "what is not an array is small");
    const opened = openTables({ header, shared });
    assert.deepEqual(opened, prepared.tables);
    for (const [name, buffer] of Object.entries(shared)) {
      const array = Object.entries(opened).find(([key]) => key === name)?.[1];
      assert.ok(ArrayBuffer.isView(array) && array.buffer === buffer, `${name} is not copied`);
    }
  });
});

/** Several searches in one run, each begun when the one before is done. */
class OneAfterAnother implements Search<GoldenVector, number, undefined> {
  readonly #searches: readonly RateSearch[];
  /** The search and its own ask number behind each ask of the run. */
  readonly #asks: { readonly search: number; readonly ask: number }[] = [];
  #current = 0;
  #asked = 0;

  constructor(searches: readonly RateSearch[]) {
    this.#searches = searches;
  }

  ask(): Proposal<GoldenVector> {
    for (; this.#current < this.#searches.length; this.#current++, this.#asked = 0) {
      const next = this.#searches[this.#current].ask();
      if (next.kind === "done") continue;
      if (next.kind !== "candidate") return next;
      this.#asks.push({ search: this.#current, ask: this.#asked++ });
      return {
        kind: "candidate",
        candidate: { search: this.#current, vector: next.candidate },
        key: `${this.#current}: ${next.key}`,
      };
    }
    return { kind: "done" };
  }

  tell(outcome: Outcome<number>, ask: number): void {
    const from = this.#asks[ask];
    this.#searches[from.search].tell(outcome, from.ask);
  }

  result(): undefined {
    return undefined;
  }
}

/** The same pool, telling results later and in another order. */
function shuffled(pool: PoolFactory, seed: number): PoolFactory {
  return {
    kind: pool.kind,
    open: (job, listener) =>
      pool.open(job, {
        ...listenerOf(listener),
        settled: (results) => {
          for (const result of results) {
            setTimeout(() => listener.settled([result]), ((result.id * 7 + seed * 13) % 5) * 3);
          }
        },
      }),
  };
}

/** The same pool, seen from outside: what is submitted, and how many results come back. */
function observed(
  pool: PoolFactory,
  observer: { readonly submitted: (task: PoolTask) => void; readonly settled: (count: number) => void },
): PoolFactory {
  return {
    kind: pool.kind,
    open: (job, listener) => {
      const opened = pool.open(job, {
        ...listenerOf(listener),
        settled: (results) => {
          observer.settled(results.length);
          listener.settled(results);
        },
      });
      return {
        kind: opened.kind,
        workers: opened.workers,
        maxInFlight: opened.maxInFlight,
        submit: (task) => {
          observer.submitted(task);
          opened.submit(task);
        },
        abort: (id) => opened.abort(id),
        close: (deadlineMs) => opened.close(deadlineMs),
      };
    },
  };
}

/** The same pool, noting how long each task's message is. */
function watched(pool: PoolFactory, sizes: number[]): PoolFactory {
  const submitted = (task: PoolTask) => sizes.push(Buffer.byteLength(task.candidate) + Buffer.byteLength(task.key));
  return observed(pool, { submitted, settled: () => {} });
}

/** The same pool, saying how the number of candidates out changes. */
function counting(pool: PoolFactory, changed: (change: number) => void): PoolFactory {
  return observed(pool, { submitted: () => changed(1), settled: (count) => changed(-count) });
}

/** A listener's methods as an object of their own, whatever class it has. */
function listenerOf(listener: Parameters<PoolFactory["open"]>[1]): Parameters<PoolFactory["open"]>[1] {
  return {
    started: (...args) => listener.started(...args),
    settled: (...args) => listener.settled(...args),
    aborted: (...args) => listener.aborted(...args),
    requeued: (...args) => listener.requeued(...args),
    progress: (...args) => listener.progress(...args),
    log: (...args) => listener.log(...args),
    worker: (...args) => listener.worker(...args),
    timers: (...args) => listener.timers(...args),
    broken: (...args) => listener.broken(...args),
  };
}
