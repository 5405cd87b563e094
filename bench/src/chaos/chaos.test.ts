import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { chaos } from "./chaos.ts";

describe("chaos", () => {
  it("ends with the undisturbed digest after 30 kills at journal writes, and runs nothing again that was journaled", async () => {
    const report = await chaos({ kills: 30, seed: 1, tasks: 120 });
    const { before, between, after } = report.coordinatorKills;
    assert.ok(before + between + after >= 30, JSON.stringify(report));
    for (const count of [before, between, after]) assert.ok(count > 0, JSON.stringify(report));
    assert.equal(report.wrongDigests, 0);
    assert.equal(report.repeated, 0);
    assert.ok(report.workerKills > 0);
    assert.ok(report.evaluations >= report.needed);
  });
});
