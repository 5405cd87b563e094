import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { encode, inline, openCache, type PoolFactory, type PoolTask, processes, threads } from "@coppice/engine";
import { goldenFiles, goldenText } from "../../test/golden.ts";
import { optionsOf, taskOf } from "../../test/golden-rates.ts";
import { randomInstance } from "../../test/random-instance.ts";
import { importGolden } from "../import/published.ts";
import { networkModels } from "./network-model.ts";
import { findRatesOnPool } from "./pooled-rates.ts";
import { RateFinder } from "./rate-finder.ts";
import { referenceModels } from "./reference-model.ts";
import { shareTables } from "./shared-tables.ts";

const cases = goldenFiles.flatMap((file) => {
  const instance = importGolden({ source: file.name, text: goldenText(file.name) });
  return file.rate_finder_cases.map((example) => ({
    name: `${file.name}, ${example.label}`,
    task: taskOf(instance, example),
    finder: () => new RateFinder(referenceModels(instance), optionsOf(example.config)),
  }));
});

const pools: [string, PoolFactory][] = [
  ["inline", inline()],
  ...[1, 2, 4].map((workers): [string, PoolFactory] => [`${workers} threads`, threads({ workers })]),
  ...[1, 2, 4].map((workers): [string, PoolFactory] => [`${workers} processes`, processes({ workers })]),
  ["2 threads, one candidate per message, two in flight", threads({ workers: 2, chunk: 1, maxInFlight: 2 })],
];

describe("rates found on a pool", () => {
  for (const [name, pool] of pools) {
    // A repeated call evaluates nothing; processes, slow to start, are spared it.
    const calls = name.includes("process") ? ["first"] : ["first", "second"];
    it(`${name}: rates, ΔJ, history, counts and the second call are those of the serial search`, async () => {
      for (const { name: label, task, finder } of cases) {
        const serial = finder();
        const pooled = finder();
        for (const call of calls) {
          const { finding } = await findRatesOnPool(pooled, task, pool);
          assert.deepEqual(finding, serial.find(task), `${label}, ${call} call`);
        }
      }
    });
  }

  it("does not care in which order scores come back", async () => {
    const { task, finder } = cases[cases.length - 1];
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

  it("sends rates and nothing else: a task is as small for 160 flights as for 4", async () => {
    const largest = async (name: string) => {
      const sizes: number[] = [];
      const chosen = cases.filter((example) => example.name.startsWith(name));
      for (const { task, finder } of chosen) await findRatesOnPool(finder(), task, watched(inline(), sizes));
      assert.ok(sizes.length > 0);
      return Math.max(...sizes);
    };
    const [small, large] = [await largest("tiny1"), await largest("medium1")];
    assert.ok(large <= 64, `${large} bytes for a task of two rates`);
    assert.ok(Math.abs(large - small) <= 8, `${small} bytes with 4 flights, ${large} with 160`);
  });

  it("never has more candidates out than allowed", async () => {
    const { task, finder } = cases[cases.length - 1];
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

  it("finds and counts the same without a shared cache, with a cold one and with a warm one", async () => {
    const folder = mkdtempSync(join(tmpdir(), "coppice-rates-"));
    const cache = openCache(join(folder, "scores.sqlite"));
    try {
      const { task, finder } = cases[cases.length - 2];
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

  it("gives workers the tables as views of shared memory", () => {
    const prepared = cases[0].finder().prepare(cases[0].task);
    assert.ok(prepared !== undefined);
    const { header, shared } = shareTables(prepared.tables);
    assert.ok(Object.values(shared).every((buffer) => buffer instanceof SharedArrayBuffer));
    assert.ok(encode(header).length < 1_000, "what is not an array is small");
  });
});

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
