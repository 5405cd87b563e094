import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { curvesOf } from "./rounds.ts";

describe("a parameter's curves", () => {
  it("show each horizon's own entries by ascending value, once each, without those that have no number", () => {
    const entry = (horizon: string, testIndex: number, value: number, near: number | null) => ({
      horizon,
      testIndex,
      value,
      objective: { near, far: 1 },
    });
    const [near] = curvesOf({
      pass: 0,
      index: 0,
      parameter: "x",
      adopted: {},
      entries: [
        entry("near", 0, 5, 3),
        entry("near", 1, 2, 4),
        entry("near", 2, 5, 3),
        entry("near", 3, 9, null),
        entry("far", 0, 1, 0),
      ],
    });
    assert.deepEqual(near?.points, [
      { value: 2, objective: 4, baseline: false },
      { value: 5, objective: 3, baseline: true },
    ]);
  });
});
