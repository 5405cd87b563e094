import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { onlyInSoak } from "@coppice/engine/soak";
import { poolBench } from "./pool.ts";

describe("the pool benchmark", () => {
  it("measures every cell on every side and judges each goal by what it measured", onlyInSoak(), async () => {
    const report = await poolBench({ quick: true });
    assert.equal(report.name, "pool");
    // 4 durations × 2 sizes × 6 sides, the calibration, and what no pool reaches at 0.1 ms.
    assert.equal(Object.keys(report.figures).length, 51);
    for (const [name, { value }] of Object.entries(report.figures)) assert.ok(value > 0, `${name}: ${value}`);
    // 2 against piscina; at 1 and 10 ms 2 kinds × (2 sizes + bare loops); 2 drifts.
    assert.equal(report.goals.length, 16);
    for (const { name, value, goal, ok } of report.goals) {
      assert.equal(ok, value >= Number(goal.slice(3)), `${name}: ${value} ${goal}`);
    }
  });
});
