import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { logTicks, timeTicks, valueTicks } from "./ticks.ts";

describe("ticks", () => {
  it("are round values", () => {
    assert.deepEqual(valueTicks(0, 180, 8), [0, 50, 100, 150]);
    assert.deepEqual(valueTicks(-0.13, 0.31, 5), [-0.1, 0, 0.1, 0.2, 0.3]);
    assert.deepEqual(valueTicks(7, 7, 5), [7]);
    assert.deepEqual(logTicks(3, 2_000_000), [10, 100, 1000, 10_000, 100_000, 1_000_000]);
  });

  it("are round times", () => {
    assert.deepEqual(timeTicks(13_000, 8), [0, 2000, 4000, 6000, 8000, 10_000, 12_000]);
    assert.deepEqual(
      timeTicks(3_600_000, 8),
      [0, 10, 20, 30, 40, 50, 60].map((minutes) => minutes * 60_000),
    );
    assert.deepEqual(timeTicks(0.4, 4), [0, 0.1, 0.2, 0.3, 0.4]);
  });

  it("lie inside the range and are few, whatever the range", () => {
    const bound = fc.double({ min: -1e9, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(bound, fc.double({ min: 1e-3, max: 1e9, noNaN: true }), (from, length) => {
        const ticks = valueTicks(from, from + length, 6);
        assert.ok(ticks.length >= 1 && ticks.length <= 8, `${ticks}`);
      }),
    );
    fc.assert(
      fc.property(fc.double({ min: 1e-3, max: 1e11, noNaN: true }), (toMs) => {
        const ticks = timeTicks(toMs, 8);
        assert.ok(ticks.length >= 2 && ticks.length <= 10, `${ticks}`);
        assert.ok(ticks.every((ms) => ms >= 0 && ms <= toMs * (1 + 1e-6)));
      }),
    );
  });
});
