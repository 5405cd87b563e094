import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { alternate, median, medianRatio } from "./measure.ts";
import { benchReport, goal } from "./report.ts";

describe("a benchmark's report", () => {
  it("takes the middle of its measurements", () => {
    assert.equal(median([9, 1, 5]), 5);
    assert.equal(median([4, 1, 3, 2]), 2.5);
    assert.ok(Number.isNaN(median([])));
  });

  it("measures every side in every round, lets each side begin, and none always follow the same one", async () => {
    const order: string[] = [];
    const side = (name: string) => () => order.push(name);
    const measured = await alternate(3, { a: side("a"), b: side("b"), c: side("c") });
    assert.deepEqual(order, ["a", "b", "c", "b", "a", "c", "c", "a", "b"]);
    assert.deepEqual(measured, { a: [1, 5, 8], b: [2, 4, 9], c: [3, 6, 7] });
  });

  it("compares sides round by round", () => {
    assert.equal(medianRatio([2, 30, 4], [1, 10, 4]), 2);
  });

  it("is ok exactly when every goal is met, and a missing value meets none", () => {
    const met = goal("fast", 2, "×", ">=", 1.8);
    const missed = goal("small", 300, "bytes", "<=", 250);
    assert.deepEqual(met, { name: "fast", value: 2, unit: "×", goal: ">= 1.8", ok: true });
    assert.equal(missed.ok, false);
    assert.equal(goal("nothing", Number.NaN, "ms", "<", 1).ok, false);
    const figures = { speed: { value: 1, unit: "tasks/s" } };
    assert.equal(benchReport("x", 3, figures, [met]).ok, true);
    assert.equal(benchReport("x", 3, figures, [met, missed]).ok, false);
  });
});
