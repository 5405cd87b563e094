import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { scoreBench } from "./score.ts";

describe("score benchmark", () => {
  it("runs on the real day and finds both scorers in agreement", async () => {
    const report = await scoreBench({ quick: true });
    assert.equal(report.name, "score");
    assert.equal(report.figures.flights.value, 17_599);
    assert.equal(report.goals.find(({ name }) => name.startsWith("scores that differ"))?.value, 0);
    for (const lines of [1, 5, 15]) {
      const faster = report.goals.find(({ name }) => name === `plans of ${lines}, against the twin`);
      assert.ok(faster !== undefined && faster.value > 1, `plans of ${lines}`);
    }
  });
});
