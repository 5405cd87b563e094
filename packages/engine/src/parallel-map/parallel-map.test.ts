import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { random } from "../random/random.ts";
import { type MapProgress, type MapResult, MapTimeout, parallelMap } from "./parallel-map.ts";
import { stderrProgress } from "./stderr-progress.ts";

/** Counts how many run at once; work that is given up no longer counts. */
function gauge() {
  const running = new Set<symbol>();
  const seen = { most: 0 };
  const during = async <Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> => {
    const id = Symbol("work");
    running.add(id);
    signal?.addEventListener("abort", () => running.delete(id));
    seen.most = Math.max(seen.most, running.size);
    try {
      return await work();
    } finally {
      running.delete(id);
    }
  };
  return { seen, during };
}

const range = (count: number) => Array.from({ length: count }, (_, i) => i);
const statuses = (results: readonly MapResult<unknown, unknown>[]) => results.map(({ status }) => status);
/** Work that never ends and does not listen. */
const deaf = () => new Promise<never>(() => {});

describe("parallelMap", () => {
  it("does not hold a pause of the process against an answer that has come meanwhile", async () => {
    const pausedMs = 1300;
    const results = await parallelMap(
      [0],
      async () => {
        const answer = stat(import.meta.filename);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pausedMs);
        return (await answer).size;
      },
      { limit: 1, timeoutMs: pausedMs - 200 },
    );
    assert.deepEqual(statuses(results), ["ok"]);
  });

  it("P-01 gives results in input order with their index, whatever order they finish in", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(3), { maxLength: 40 }),
        fc.integer({ min: 1, max: 60 }),
        async (delays, limit) => {
          const results = await parallelMap(
            delays,
            async (delay, { index }) => {
              for (let turn = 0; turn < delay; turn++) await new Promise(setImmediate);
              if (delay === 3) throw new Error(`item ${index}`);
              return index * 10;
            },
            { limit },
          );
          assert.deepEqual(
            results.map((result) => [result.index, result.item, result.status === "ok" ? result.value : result.status]),
            delays.map((delay, index) => [index, delay, delay === 3 ? "failed" : index * 10]),
          );
        },
      ),
      { numRuns: 50 },
    );
    assert.deepEqual(await parallelMap([], deaf), []);
  });

  it("P-02 runs min(n, limit) at once: 50 that wait, one per core that computes, or what the caller says", async () => {
    for (const [count, options, expected] of [
      [20, {}, 20],
      [120, {}, 50],
      [120, { limit: 7 }, 7],
      [120, { limit: 100 }, 100],
      [120, { kind: "computing" }, availableParallelism()],
      [1, { kind: "computing", limit: 5 }, 1],
    ] as const) {
      const { seen, during } = gauge();
      await parallelMap(range(count), () => during(() => sleep(5)), options);
      assert.equal(seen.most, expected, `${count} items with ${JSON.stringify(options)}`);
    }
    for (const limit of [0, -1, 1.5, Number.NaN]) {
      await assert.rejects(
        parallelMap([1], deaf, { limit }),
        /^RangeError: limit is a whole number of at least 1, not/,
      );
    }
  });

  it("P-03 fail-fast aborts running work, returns what is done and what was cancelled, and does not wait", async () => {
    let aborted = 0;
    const results = await parallelMap(
      range(10),
      async (item, { signal }) => {
        if (item === 0) return "done";
        if (item === 2) {
          await sleep(20);
          throw new Error("the second failed");
        }
        signal.addEventListener("abort", () => aborted++);
        return deaf();
      },
      { failFast: true, limit: 4 },
    );
    assert.deepEqual(statuses(results), ["ok", "cancelled", "failed", ...range(7).map(() => "cancelled")]);
    // Items 1, 3 and 4 were running; 5 to 9 never began.
    assert.equal(aborted, 3);
    const [, second] = results;
    assert.ok(
      second?.status === "cancelled" && second.reason instanceof Error && second.reason.message === "item 2 failed",
    );
  });

  it("P-03 without fail-fast one failure leaves the others alone", async () => {
    const results = await parallelMap(range(4), async (item) => {
      if (item === 1) throw new Error("no");
      return item;
    });
    assert.deepEqual(statuses(results), ["ok", "failed", "ok", "ok"]);
  });

  it("P-04 reports progress that only grows and ends at n, also when work is cancelled", async () => {
    for (const failFast of [false, true]) {
      const seen: MapProgress[] = [];
      const stream = random(4).at("delays");
      const delays = range(60).map(() => stream.integer(0, 3));
      await parallelMap(
        delays,
        async (delay, { index }) => {
          await sleep(delay);
          if (index % 20 === 19) throw new Error("no");
        },
        { failFast, limit: 8, progress: (progress) => seen.push(progress) },
      );
      assert.deepEqual(
        seen.map(({ done }) => done),
        range(60).map((i) => i + 1),
      );
      assert.ok(seen.every(({ total }) => total === 60));
      assert.ok(seen.every(({ failed }, i) => i === 0 || failed >= seen[i - 1].failed));
    }
  });

  it("P-04 prints progress to stderr and nothing to stdout", () => {
    const url = (file: string) => JSON.stringify(new URL(file, import.meta.url).href);
    const program = `
      import { parallelMap } from ${url("parallel-map.ts")};
      import { stderrProgress } from ${url("stderr-progress.ts")};
      process.stdout.write = () => { process.exit(3); };
      await parallelMap([1, 2, 3], (x) => { if (x === 2) throw new Error(); }, { progress: stderrProgress("asking") });`;
    const printed = execFileSync("sh", [
      "-c",
      '"$0" --input-type=module -e "$1" 2>&1 >/dev/null',
      process.execPath,
      program,
    ]);
    assert.equal(printed.toString(), "asking 1/3\nasking 2/3, 1 failed\nasking 3/3, 1 failed\n");
  });

  it("P-04 rewrites one line on a terminal", () => {
    let text = "";
    const show = stderrProgress("asking", { isTTY: true, write: (more) => (text += more) });
    show({ done: 1, total: 2, failed: 0 });
    show({ done: 2, total: 2, failed: 1 });
    assert.equal(text, "\r\u001b[2Kasking 1/2\r\u001b[2Kasking 2/2, 1 failed\n");
  });

  it("P-04 passes on an error of the progress callback itself, and aborts the rest", async () => {
    let aborted = 0;
    const work = async (item: number, { signal }: { readonly signal: AbortSignal }) => {
      if (item === 0) return;
      signal.addEventListener("abort", () => aborted++);
      await deaf();
    };
    const progress = () => {
      throw new Error("display broke");
    };
    await assert.rejects(parallelMap([0, 1, 2], work, { progress }), /display broke/);
    assert.equal(aborted, 2);
  });

  it("P-05 keeps errors that cannot be cloned, and whatever else is thrown, as they are", async () => {
    class Odd extends Error {
      readonly retry = () => "a function";
      readonly self = this;
    }
    const thrown = [new Odd("odd"), "a text", undefined, 0, { status: 400, body: Symbol("s") }];
    const results = await parallelMap(thrown, (item) => {
      throw item;
    });
    assert.deepEqual(statuses(results), ["failed", "failed", "failed", "failed", "failed"]);
    for (const [i, result] of results.entries()) assert.ok(result.status === "failed" && result.error === thrown[i]);
  });

  it("P-06 ends an item at its timeout, aborts its signal, and goes on with the next in its place", async () => {
    const signals: AbortSignal[] = [];
    const results = await parallelMap(
      range(3),
      async (item, { signal }) => {
        signals.push(signal);
        return item === 1 ? "quick" : deaf();
      },
      { timeoutMs: 30, limit: 1 },
    );
    assert.deepEqual(statuses(results), ["failed", "ok", "failed"]);
    assert.ok(results[0].status === "failed" && results[0].error instanceof MapTimeout);
    assert.equal(String(results[0].error), "MapTimeout: took longer than 30 ms");
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, false, true],
    );
    await assert.rejects(parallelMap([1], deaf, { timeoutMs: 0 }), /timeoutMs is a number of milliseconds above 0/);
  });

  it("P-07 stops at the caller's signal: what is done stays, the rest is cancelled with the signal's reason", async () => {
    const controller = new AbortController();
    const results = await parallelMap(
      range(6),
      async (item) => {
        if (item <= 1) return item;
        if (item === 3) controller.abort("enough");
        return deaf();
      },
      { signal: controller.signal, limit: 3 },
    );
    assert.deepEqual(statuses(results), ["ok", "ok", "cancelled", "cancelled", "cancelled", "cancelled"]);
    assert.ok(results.every((result) => result.status !== "cancelled" || result.reason === "enough"));
    let begun = 0;
    const late = await parallelMap(range(2), () => begun++, { signal: AbortSignal.abort("before") });
    assert.deepEqual([statuses(late), begun], [["cancelled", "cancelled"], 0]);
    const atOnce = new AbortController();
    const early = parallelMap(range(2), deaf, { signal: atOnce.signal });
    atOnce.abort();
    assert.deepEqual(statuses(await early), ["cancelled", "cancelled"]);
  });

  it("P-08 nested calls share one limit and always finish", async () => {
    const { seen, during } = gauge();
    const results = await parallelMap(range(60), async (outer) => {
      const inner = await parallelMap(range(20), async (item) => {
        const leaves = await parallelMap([1, 2], (leaf) => during(() => sleep(1, leaf)));
        return leaves.length * 100 + item;
      });
      return inner.length + outer;
    });
    assert.deepEqual(
      results.map((result) => result.status === "ok" && result.value),
      range(60).map((outer) => outer + 20),
    );
    assert.equal(seen.most, 50);
  });

  it("P-08 calls side by side share the limit of the process", async () => {
    const { seen, during } = gauge();
    await Promise.all(range(4).map(() => parallelMap(range(40), () => during(() => sleep(3)))));
    assert.equal(seen.most, 50);
  });

  it("P-08 a larger limit at the top holds for everything nested in it; inside, it cannot be raised", async () => {
    const top = gauge();
    await parallelMap(range(10), () => parallelMap(range(30), () => top.during(() => sleep(3))), { limit: 80 });
    assert.equal(top.seen.most, 80);
    const nested = gauge();
    await parallelMap(range(4), () => parallelMap(range(60), () => nested.during(() => sleep(3)), { limit: 60 }));
    assert.equal(nested.seen.most, 50);
  });

  it("P-08 waiting and computing work nested in each other never lock each other out", {
    timeout: 300_000,
  }, async () => {
    const cores = availableParallelism();
    const { seen, during } = gauge();
    await parallelMap(
      range(4 * cores),
      () => parallelMap(range(60), () => parallelMap(range(2), () => during(() => sleep(0)), { kind: "computing" })),
      { kind: "computing" },
    );
    assert.equal(seen.most, cores);
  });

  it("P-08 random nests keep their limit and leave no slot behind", { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.constantFrom(5, 50, 53), async (seed, limit) => {
        const stream = random(seed);
        const { seen, during } = gauge();
        const grow = async (path: string, depth: number, signal: AbortSignal): Promise<void> => {
          const place = stream.at(path);
          if (depth === 3) return during(() => new Promise((resolve) => setImmediate(resolve)), signal);
          const several = range(place.integer(1, 2)).map((call) =>
            parallelMap(
              range(place.integer(0, 6)),
              (item, task) => grow(`${path}/${call}.${item}`, depth + 1, task.signal),
              {
                timeoutMs: place.choice([1, 1000]),
                failFast: place.choice([true, false]),
              },
            ),
          );
          await Promise.all(several);
          if (place.uniform() < 0.1) throw new Error("withered");
        };
        await parallelMap(range(8), (item, task) => grow(String(item), 0, task.signal), { limit });
        assert.ok(seen.most <= Math.max(50, limit), `${seen.most} at once`);
      }),
      { numRuns: 25 },
    );
    // Every slot of the process is free again.
    const { seen, during } = gauge();
    await parallelMap(range(50), () => during(() => sleep(5)));
    assert.equal(seen.most, 50);
  });

  it("P-08 stops nested work when the outer item is given up", async () => {
    let innerAborted = 0;
    const results = await parallelMap(
      [0],
      () =>
        parallelMap(range(3), async (_item, { signal }) => {
          signal.addEventListener("abort", () => innerAborted++);
          await deaf();
        }),
      { timeoutMs: 20 },
    );
    assert.deepEqual([statuses(results), innerAborted], [["failed"], 3]);
  });

  it("P-09 retries 429 and 5xx with growing waits, and nothing else", async () => {
    const attempts = new Map<number, number[]>();
    const results = await parallelMap(
      [429, 500, 503, 404, 200],
      async (status, { index, attempt }) => {
        const times = attempts.get(index) ?? [];
        attempts.set(index, [...times, performance.now()]);
        if (status === 200 || (status === 503 && attempt === 2)) return "answered";
        throw Object.assign(new Error(`HTTP ${status}`), { status });
      },
      { retry: { retries: 3, baseMs: 10 } },
    );
    assert.deepEqual(statuses(results), ["failed", "failed", "ok", "failed", "ok"]);
    assert.deepEqual(
      range(5).map((index) => attempts.get(index)?.length),
      [4, 4, 3, 1, 1],
    );
    const [first, second, third, fourth] = attempts.get(0) ?? [];
    // 10, 20 and 40 ms, each give or take a quarter; timers never fire more than a millisecond early.
    assert.ok(second - first >= 6.5 && third - second >= 14 && fourth - third >= 29);
  });

  it("P-09 waits as long as Retry-After says, and gives up when that is too long", async () => {
    const error = (headers: unknown) => Object.assign(new Error("busy"), { status: 429, headers });
    const date = new Date(Date.now() + 2000).toUTCString();
    for (const [headers, leastMs] of [
      [new Headers({ "retry-after": "0.05" }), 49],
      [{ "Retry-After": "0.05" }, 49],
      [{ "retry-after": date }, 900],
    ] as const) {
      const began = performance.now();
      const [result] = await parallelMap(
        [0],
        (_item, { attempt }) => {
          if (attempt === 0) throw error(headers);
          return "answered";
        },
        { retry: { baseMs: 1 } },
      );
      assert.equal(result.status, "ok");
      assert.ok(performance.now() - began >= leastMs, `waited ${performance.now() - began} ms`);
    }
    const long = error({ "retry-after": "3600" });
    const [gaveUp] = await parallelMap([0], () => Promise.reject(long));
    assert.ok(gaveUp.status === "failed" && gaveUp.error === long);
  });

  it("P-09 a retry that waits holds no slot and ends at once when everything stops", async () => {
    const controller = new AbortController();
    let others = 0;
    const blocked = parallelMap(
      range(50),
      () => {
        throw Object.assign(new Error("busy"), { statusCode: 503 });
      },
      { signal: controller.signal, retry: { baseMs: 30_000 } },
    );
    await parallelMap(range(50), () => others++);
    controller.abort();
    assert.deepEqual([new Set(statuses(await blocked)), others], [new Set(["cancelled"]), 50]);
    await assert.rejects(parallelMap([1], deaf, { retry: { retries: -1 } }), /retry.retries is a whole number/);
  });
});
