import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { addTimerTotals, timerShares } from "./shares.ts";

describe("timer shares", () => {
  it("state self and total time as parts of the wall, largest self first", () => {
    const totals = {
      plan: { ms: 80, selfMs: 20, count: 1 },
      "plan.rates": { ms: 60, selfMs: 60, count: 12 },
    };
    assert.deepEqual(timerShares(totals, 100), [
      { name: "plan.rates", count: 12, ms: 60, selfMs: 60, share: 0.6, totalShare: 0.6 },
      { name: "plan", count: 1, ms: 80, selfMs: 20, share: 0.2, totalShare: 0.8 },
    ]);
  });

  it("sum to at most 1 even when the wall is reported too short or is 0", () => {
    const total = fc
      .record({ self: fc.nat(1e6), nested: fc.nat(1e6), count: fc.nat() })
      .map(({ self, nested, count }) => ({ ms: self + nested, selfMs: self, count }));
    fc.assert(
      fc.property(fc.dictionary(fc.string(), total), fc.nat(1e6), (totals, wallMs) => {
        const shares = timerShares(totals, wallMs);
        assert.ok(shares.reduce((sum, { share }) => sum + share, 0) <= 1 + 1e-9);
        for (const { totalShare } of shares) assert.ok(totalShare >= 0 && totalShare <= 1);
      }),
    );
  });

  it("add up over drains and workers", () => {
    const one = { a: { ms: 1, selfMs: 1, count: 1 } };
    assert.deepEqual(addTimerTotals(one, { a: { ms: 2, selfMs: 1, count: 3 }, b: { ms: 5, selfMs: 5, count: 1 } }), {
      a: { ms: 3, selfMs: 2, count: 4 },
      b: { ms: 5, selfMs: 5, count: 1 },
    });
    assert.deepEqual(addTimerTotals(), {});
  });
});
