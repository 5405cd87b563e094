import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { soak } from "@coppice/engine/soak";
import { chaos } from "./chaos.ts";

/** With it no session dies before its workers have begun: few kills are enough for some of them to be of workers. */
const SEED = 17;

describe("chaos", () => {
  it("ends with the undisturbed digest after kills at journal writes, and runs nothing again that was journaled", async () => {
    const kills = soak(6, 100);
    const report = await chaos({ kills, seed: SEED, tasks: 120 });
    const { before, between, after } = report.coordinatorKills;
    assert.ok(before + between + after >= kills, JSON.stringify(report));
    for (const count of [before, between, after]) assert.ok(count > 0, JSON.stringify(report));
    assert.equal(report.wrongDigests, 0);
    assert.equal(report.repeated, 0);
    assert.ok(report.workerKills > 0);
    assert.ok(report.evaluations >= report.needed);
  });
});
