import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TemporaryProject } from "../../test/temporary-project.ts";
import { placesOf } from "../settings/scopes.ts";
import { fingerprint } from "../trace/hook-files.ts";
import { addObservations, type Observation } from "../trace/observations.ts";
import { PlanCache } from "./plan-cache.ts";
import { planEvent } from "./plan-event.ts";

describe("H-17 a plan that is kept", () => {
  it("holds until the settings or a hook's own file change", async () => {
    using project = new TemporaryProject();
    const places = placesOf(project.dir, project.env);
    project.write("a.sh", "#!/bin/sh\n");
    project.configure("Stop", [{ command: "./a.sh" }]);
    const cache = new PlanCache();
    const plan = () => cache.plan("Stop", {}, places, project.env);
    const first = await plan();
    assert.equal(await plan(), first);
    assert.equal(cache.planned, 1);
    project.write("a.sh", "#!/bin/sh\ntrue\n");
    assert.notEqual(await plan(), first);
    project.configure("Stop", [{ command: "./a.sh" }, { command: "./b.sh" }]);
    assert.equal((await plan()).plan.hooks.length, 2);
    await plan();
    assert.equal(cache.planned, 3);
  });

  it("is thrown away when there are too many others", async () => {
    using project = new TemporaryProject();
    const places = placesOf(project.dir, project.env);
    project.configure("PreToolUse", [{ command: "echo x" }]);
    const cache = new PlanCache();
    const plan = (tool: number) => cache.plan("PreToolUse", { tool_name: `tool${tool}` }, places, project.env);
    for (let tool = 0; tool <= 500; tool++) await plan(tool);
    await plan(500);
    assert.equal(cache.planned, 501);
    await plan(0);
    assert.equal(cache.planned, 502);
  });

  it("is made from what was seen of undeclared hooks only while their files are the ones that were watched", async () => {
    using project = new TemporaryProject();
    const places = placesOf(project.dir, project.env);
    const files = ["a", "b"].map((name) => project.write(`${name}.sh`, "#!/bin/sh\n"));
    const stages = async () => (await planEvent("Stop", {}, places)).plan.stages.length;
    project.configure("Stop", [{ command: "./a.sh" }, { command: "./b.sh" }], { observed: true });
    assert.equal(await stages(), 2);
    const { hooks } = (await planEvent("Stop", {}, places)).plan;
    const seen = hooks.map(
      (hook, i): Observation => ({
        hook: hook.name,
        method: "strace",
        reads: [],
        writes: [`${hook.name}.out`],
        files: [files[i]],
        fingerprint: fingerprint(hook, [files[i]]),
        runs: 1,
      }),
    );
    const cache = new PlanCache();
    const kept = async () => (await cache.plan("Stop", {}, places, project.env)).plan.stages.length;
    assert.equal(await kept(), 2);
    addObservations(`${project.dir}/.coppice/hooks`, "Stop", seen);
    assert.equal(await stages(), 1);
    assert.equal(await kept(), 1);
    project.write("b.sh", "#!/bin/sh\necho changed >a.out\n");
    assert.equal(await stages(), 2);
  });
});
