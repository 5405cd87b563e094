import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { random } from "@coppice/engine";
import { soak } from "@coppice/engine/soak";
import { killAtWrite } from "./attacks.ts";
import { killedRuns } from "./killed-runs.ts";

/** With it no session dies before its workers have begun: few kills are enough for some of them to be of workers. */
const SEED = 17;

describe("runs that are killed", () => {
  it("end with the undisturbed digest after kills at journal writes, and run nothing again that was journaled", async (t) => {
    const place = mkdtempSync(join(tmpdir(), "coppice-kills-"));
    t.after(() => rmSync(place, { recursive: true, force: true }));
    const kills = soak(4, 100);
    const report = await killedRuns({ kills, tasks: 120, draw: random(SEED), place, plan: killAtWrite });
    const { before = 0, between = 0, after = 0 } = report.struck;
    assert.ok(before + between + after >= kills, JSON.stringify(report));
    for (const count of [before, between, after]) assert.ok(count > 0, JSON.stringify(report));
    const { tries, ...harm } = report.toll;
    assert.deepEqual(harm, { lost: 0, repeated: 0, wrong: 0, left: 0, keys: 0, problems: [] });
    assert.ok(report.workerKills > 0);
    assert.ok(tries >= kills + report.workerKills);
    assert.ok(report.evaluations >= report.needed);
  });
});
