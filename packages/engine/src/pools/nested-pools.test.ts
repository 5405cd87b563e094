import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { candidate, Scripted, when } from "../../test/searches.ts";
import type { PoolFactory } from "../contract/pool.ts";
import { CORE_SHARE } from "../cores/core-budget.ts";
import { start } from "../driver/start.ts";
import { processes } from "./processes.ts";
import { threads } from "./threads.ts";

const evaluator = new URL("../../test/evaluators/inner-pool.ts", import.meta.url);

async function innerPools(pool: PoolFactory) {
  const search = new Scripted(candidate("auto"), candidate("64", 64), when(2, { kind: "done" }));
  const { result } = await (await start({ search, evaluator, pool })).finished;
  return result.map(([, text]) => (JSON.parse(text) as { value: unknown }).value);
}

describe("pools inside pools", () => {
  it("divide the cores: outer workers times inner workers is never more than there are", async () => {
    // Eight cores, whatever this machine has.
    process.env[CORE_SHARE] = "8";
    try {
      for (const [workers, share] of [
        [1, 8],
        [3, 2],
        [8, 1],
      ] as const) {
        for (const pool of [threads({ workers }), processes({ workers })]) {
          assert.deepEqual(await innerPools(pool), [
            { cores: share, granted: share, oversubscribed: share },
            { cores: share, granted: share, oversubscribed: 64 },
          ]);
        }
      }
      assert.equal(threads({ workers: 100 }).workers, 8);
    } finally {
      delete process.env[CORE_SHARE];
    }
  });

  it("take the user at his word at the outermost level", () => {
    assert.equal(threads({ workers: 100 }).workers, 100);
  });
});
