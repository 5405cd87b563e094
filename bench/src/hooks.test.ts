import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { onlyInSoak } from "@coppice/engine/soak";
import { hooksBench } from "./hooks.ts";

describe("hooks benchmark", () => {
  it("runs all sides, and one by one is slower than in stages", onlyInSoak(), async () => {
    const report = await hooksBench({ quick: true });
    assert.equal(report.name, "hooks");
    const figure = (name: string): number => report.figures[name].value;
    assert.ok(figure("21 hooks of 50 ms, one by one") > 21 * 50);
    assert.ok(figure("21 hooks of 50 ms, in 3 stages") > 3 * 50);
    assert.ok(figure("21 hooks of 50 ms, in 3 stages") < figure("21 hooks of 50 ms, one by one"));
    assert.ok(figure("21 module hooks of 50 ms at once, posted to the daemon") > 49);
    assert.ok(figure("21 module hooks of 50 ms in 3 stages, posted to the daemon") > 3 * 49);
    assert.equal(report.goals.length, 9);
    assert.ok(report.goals.every(({ value }) => Number.isFinite(value)));
  });
});
