import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { overallFraction, progressLine, remainingMs } from "./summary-line.ts";

const configs = (done: number, total = 105) => ({ name: "Configs", done, total });
const horizons = (done: number, total = 5) => ({ name: "Horizons", done, total });

describe("the multi-level progress line", () => {
  const table = [
    {
      levels: [configs(42), horizons(3)],
      elapsedMs: 135_000,
      line: "Configs: 42/105 (40.0%) | Horizons: 3/5 (60.0%) | Overall: 40.6% | Elapsed: 2m 15s | ETA: 3m 18s",
    },
    {
      levels: [configs(0), horizons(0)],
      elapsedMs: 8_999,
      line: "Configs: 0/105 (0.0%) | Horizons: 0/5 (0.0%) | Overall: 0.0% | Elapsed: 8s",
    },
    {
      levels: [configs(105), horizons(0)],
      elapsedMs: 3_725_000,
      line: "Configs: 105/105 (100.0%) | Horizons: 0/5 (0.0%) | Overall: 100.0% | Elapsed: 1h 02m | ETA: 0s",
    },
    {
      levels: [configs(105), horizons(5)],
      elapsedMs: 60_000,
      line: "Configs: 105/105 (100.0%) | Horizons: 5/5 (100.0%) | Overall: 100.0% | Elapsed: 1m 00s | ETA: 0s",
    },
    {
      levels: [{ name: "Evaluations", done: 1500, total: 2000 }],
      elapsedMs: 90_000,
      line: "Evaluations: 1500/2000 (75.0%) | Overall: 75.0% | Elapsed: 1m 30s | ETA: 30s",
    },
    {
      levels: [{ name: "Passes", done: 1, total: 2 }, configs(1, 2), horizons(1, 2)],
      elapsedMs: 7_000,
      line: "Passes: 1/2 (50.0%) | Configs: 1/2 (50.0%) | Horizons: 1/2 (50.0%) | Overall: 87.5% | Elapsed: 7s | ETA: 1s",
    },
    {
      levels: [configs(0, 0)],
      elapsedMs: 0,
      line: "Configs: 0/0 (100.0%) | Overall: 100.0% | Elapsed: 0s | ETA: 0s",
    },
  ];
  for (const { levels, elapsedMs, line } of table) {
    it(line, () => assert.equal(progressLine(levels, elapsedMs), line));
  }

  it("leaves the estimate out when there is none", () => {
    assert.equal(progressLine([configs(21)], 5000, null), "Configs: 21/105 (20.0%) | Overall: 20.0% | Elapsed: 5s");
  });

  it("does not take work that was reused from a journal for pace", () => {
    assert.equal(remainingMs(0.75, 10_000, 0.5), 10_000);
    assert.equal(remainingMs(0.5, 10_000, 0.5), undefined);
    assert.match(progressLine([configs(75, 100)], 12_000, 10_000), / Elapsed: 12s \| ETA: 10s$/);
  });
});

describe("the overall fraction", () => {
  const level = fc.record({ name: fc.constant("Level"), done: fc.nat(12), total: fc.nat(10) });

  it("stays between 0 and 1 for any levels, past their totals too", () => {
    fc.assert(
      fc.property(fc.array(level, { maxLength: 4 }), (levels) => {
        const fraction = overallFraction(levels);
        assert.ok(fraction >= 0 && fraction <= 1);
      }),
    );
  });

  it("does not fall while an inner level fills up and the outer one then steps", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }), (outers, inners) => {
        let last = 0;
        for (let outer = 0; outer < outers; outer++) {
          for (let inner = 0; inner <= inners; inner++) {
            const fraction = overallFraction([configs(outer, outers), horizons(inner, inners)]);
            assert.ok(fraction >= last - 1e-12);
            last = fraction;
          }
        }
        assert.ok(Math.abs(last - 1) < 1e-12);
      }),
    );
  });
});
