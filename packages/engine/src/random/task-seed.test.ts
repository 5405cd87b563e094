import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { taskSeed } from "./task-seed.ts";

describe("the seed of a task", () => {
  it("is a safe integer for any run seed and key, and always the same one", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.string({ unit: "binary" }), (seed, key) => {
        const drawn = taskSeed(seed, key);
        assert.ok(Number.isSafeInteger(drawn) && drawn >= 0);
        assert.equal(drawn, taskSeed(seed, key));
      }),
    );
  });

  it("never changes between versions of the engine", () => {
    assert.deepEqual(
      [taskSeed(0, ""), taskSeed(0, "a"), taskSeed(1, "a"), taskSeed(2 ** 40, "a"), taskSeed(-1, "node/3/é")],
      [8815241579222435, 617522575423499, 8684629650482558, 467896839749012, 7795849630202035],
    );
  });

  it("differs between keys and between run seeds, in the low bits too", () => {
    const drawn = new Set<number>();
    const low = new Int32Array(64);
    for (let seed = 0; seed < 20; seed++) {
      for (let i = 0; i < 5000; i++) {
        const value = taskSeed(seed, `candidate-${i}`);
        drawn.add(value);
        low[value % 64] += 1;
      }
    }
    assert.equal(drawn.size, 100_000);
    // 100,000 draws over 64 cells: 1562 each, standard deviation 39.
    for (const count of low) assert.ok(Math.abs(count - 1562.5) < 6 * 39.5, `${count} of 100000 in one of 64 cells`);
  });

  it("separates the words of the run's seed", () => {
    const drawn = new Set([0, 1, 2 ** 32, 2 ** 32 + 1, 2 ** 33].map((seed) => taskSeed(seed, "key")));
    assert.equal(drawn.size, 5);
  });
});
