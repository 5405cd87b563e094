import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { onlyInSoak } from "@coppice/engine/soak";
import { noBrowser } from "@coppice/studio/browser";
import { studioBench } from "./studio.ts";

describe("studio benchmark", { skip: noBrowser }, () => {
  it("measures pages, memory and what watching costs", onlyInSoak(), async () => {
    const report = await studioBench({ quick: true });
    assert.equal(report.name, "studio");
    assert.equal(report.goals.length, 11);
    assert.ok(report.goals.every(({ value }) => Number.isFinite(value)));
    assert.ok(report.figures.whatIf.value > 0 && report.figures.bundle.value > 10);
  });
});
