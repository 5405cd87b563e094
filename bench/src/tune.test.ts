import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { onlyInSoak } from "@coppice/engine/soak";
import { tuneBench } from "./tune.ts";

describe("tune benchmark", () => {
  it("A-25 measures the speed-up of a second worker, which gets the same answer", onlyInSoak(), async () => {
    const report = await tuneBench({ rounds: 1, quick: true });
    assert.equal(report.name, "tune");
    assert.equal(report.figures.seasons.value, 4);
    assert.ok(report.figures["player-weeks"].value > 20_000);
    assert.equal(report.goals.at(-1)?.value, 0);
    const speedUps = report.goals.filter(({ name }) => name.startsWith("2 workers on"));
    assert.ok(speedUps.length >= 2 && speedUps.every(({ value, unit }) => value > 0 && unit === "×"));
    const control = Object.entries(report.figures).filter(([name]) => / against /.test(name));
    assert.equal(control.length, 4, "beside what two independent tuners gain");
    assert.ok(control.every(([, { value, unit }]) => value > 0 && unit === "×"));
    assert.ok(report.goals.every(({ value }) => Number.isFinite(value)));
  });
});
