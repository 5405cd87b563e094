import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import fc from "fast-check";
import { interleaved } from "../../test/interleaved-pool.ts";
import { candidate, Scripted, Shaped, until } from "../../test/searches.ts";
import { type EvaluationCache, openCache } from "../cache/evaluation-cache.ts";
import type { Search } from "../contract/search.ts";
import { random } from "../random/random.ts";
import { start } from "./start.ts";
import type { StartOptions } from "./start-options.ts";

const echo = new URL("../../test/evaluators/echo.ts", import.meta.url);
const probe = new URL("../../test/evaluators/probe.ts", import.meta.url);
let files = 0;
const directory = mkdtempSync(join(tmpdir(), "coppice-cached-run-"));
const cache = openCache(join(directory, "shared.sqlite"));
after(() => {
  cache.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Runs a search on a pool that counts what it evaluates. */
async function counted<Candidate, Value, Result>(
  search: Search<Candidate, Value, Result>,
  evaluate: (candidate: unknown, key: string) => unknown,
  options: Partial<StartOptions<Candidate, Value, Result>> = {},
) {
  const evaluated: string[] = [];
  const schedule = random(files++).at("schedule");
  const pool = interleaved(evaluate, {
    choose: (count) => schedule.integer(0, count - 1),
    onEvaluate: (key) => evaluated.push(key),
  });
  const run = await start({ search, evaluator: echo, pool, ...options });
  return { ...(await run.finished), evaluated };
}

/** Asks for these keys at once; done when they are told. */
const letters = (...keys: string[]) =>
  new Scripted(
    keys.map((key) => candidate(key)),
    until(keys.length),
  );

describe("a run with an evaluation cache", () => {
  it("gives the same digest cold, warm and without one, and evaluates nothing twice", async () => {
    const shape = fc.record({
      kind: fc.constantFrom("batch" as const, "waiting" as const, "endless" as const),
      total: fc.integer({ min: 1, max: 60 }),
      width: fc.integer({ min: 1, max: 8 }),
      keys: fc.integer({ min: 1, max: 40 }),
      withdrawEvery: fc.constantFrom(0, 5),
    });
    const evaluate = (value: unknown) => {
      const { n } = value as { n: number };
      if (n % 7 === 3) throw new Error(`no value for ${n}`);
      return n * 1.5;
    };
    await fc.assert(
      fc.asyncProperty(shape, fc.integer({ min: 1, max: 20 }), async (wanted, lookahead) => {
        const fresh = openCache(join(directory, `${files}.sqlite`));
        const go = (used?: EvaluationCache) =>
          counted(new Shaped(wanted), evaluate, {
            lookahead,
            ...(used === undefined ? {} : { cache: used }),
          });
        const off = await go();
        const cold = await go(fresh);
        const warm = await go(fresh);
        fresh.close();
        assert.deepEqual([cold.digest, warm.digest], [off.digest, off.digest]);
        assert.deepEqual([cold.result, warm.result], [off.result, off.result]);
        const again = warm.evaluated.filter((key) => cold.evaluated.includes(key) && Number(key.slice(1)) % 7 !== 3);
        assert.deepEqual(again, []);
      }),
      { numRuns: 60 },
    );
  });

  it("does not take one search's candidate for another's that has the same key", async () => {
    const one = new Scripted([candidate("k", 1), until(1)]);
    const other = new Scripted([candidate("k", 2), until(1)]);
    await counted(one, (value) => value, { cache });
    const { result } = await counted(other, (value) => value, { cache });
    assert.deepEqual(JSON.parse(result[0][1]), { ok: true, value: 2 });
  });

  it("shares nothing between runs that differ in seed, context, inputs, shared arrays or evaluator", async () => {
    const arrays = (content: number) => {
      const table = new SharedArrayBuffer(3);
      new Uint8Array(table).fill(content);
      return { table };
    };
    const journal = (inputs: string) => ({ directory: join(directory, `run-${files}`), inputs });
    const variants: readonly Partial<StartOptions<unknown, unknown, unknown>>[] = [
      {},
      { seed: 5 },
      { context: { size: 1 } },
      { shared: arrays(1) },
      { shared: arrays(9) },
      { evaluator: probe },
    ];
    for (const variant of variants) {
      const { evaluated } = await counted(letters("a", "b"), (value) => value, { cache, ...variant });
      assert.deepEqual(evaluated.toSorted(), ["a", "b"], JSON.stringify(Object.keys(variant)));
    }
    for (const inputs of ["x", "y"]) {
      const { evaluated } = await counted(letters("a"), (value) => value, { cache, journal: journal(inputs) });
      assert.deepEqual(evaluated, ["a"], inputs);
    }
    const { evaluated } = await counted(letters("a", "b"), (value) => value, { cache, shared: arrays(9) });
    assert.deepEqual(evaluated, []);
  });

  it("never remembers a failure", async () => {
    const failing = await counted(
      letters("flaky"),
      () => {
        throw new Error("not today");
      },
      { cache, seed: 77 },
    );
    assert.deepEqual(failing.evaluated.toSorted(), ["flaky"]);
    const later = await counted(letters("flaky"), (value) => value, { cache, seed: 77 });
    assert.deepEqual(later.evaluated.toSorted(), ["flaky"]);
  });

  it("journals what came from the cache, so that a resume needs no cache", async () => {
    const options = { cache, seed: 78 };
    const first = await counted(letters("p", "q"), (value) => value, options);
    const journal = { directory: join(directory, "journaled") };
    const warm = await counted(letters("p", "q"), (value) => value, { ...options, journal });
    assert.deepEqual([warm.digest, warm.evaluated], [first.digest, []]);
    const resumed = await counted(letters("p", "q"), (value) => value, {
      seed: 78,
      journal: { ...journal, resume: true },
    });
    assert.deepEqual([resumed.digest, resumed.evaluated], [first.digest, []]);
  });
});
