import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { exactMean } from "../../test/twin/exact-mean.ts";
import { sampleMean } from "./sample-mean.ts";

describe("the mean of performance samples", () => {
  it("is the exact mean, rounded once", () => {
    const points = fc.integer({ min: 1, max: 600 }).map((tenths) => tenths / 10);
    const sample = fc.tuple(points, points).map(([actual, projected]) => (actual - projected) / projected);
    fc.assert(
      fc.property(fc.array(sample, { minLength: 1, maxLength: 16 }), (samples) => {
        assert.equal(sampleMean(Float64Array.from(samples), samples.length), exactMean(samples));
      }),
      { numRuns: 2000, seed: 1 },
    );
  });

  it("differs from a naive sum where that rounds more than once", () => {
    const samples = [0.1, 0.2, 0.3, 1e17, -1e17];
    assert.equal(exactMean(samples), 0.12);
    assert.notEqual(samples.reduce((a, b) => a + b) / 5, 0.12);
  });
});
