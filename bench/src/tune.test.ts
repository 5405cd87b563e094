import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { tuneBench } from "./tune.ts";

describe("tune benchmark", () => {
  it("runs on invented seasons and gets the same answer on one worker and on two", async () => {
    const report = await tuneBench({ rounds: 1, quick: true });
    assert.equal(report.name, "tune");
    assert.equal(report.figures.seasons.value, 4);
    assert.ok(report.figures["player-weeks"].value > 20_000);
    assert.equal(report.goals.at(-1)?.value, 0);
    assert.ok(report.goals.every(({ value }) => Number.isFinite(value)));
  });
});
