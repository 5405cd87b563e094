import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TemporaryProject } from "../../test/temporary-project.ts";
import { placesOf } from "../settings/scopes.ts";
import { fingerprint } from "../trace/hook-files.ts";
import { addObservations, type Observation } from "../trace/observations.ts";
import { stageEvent } from "./stage-event.ts";
import { StagingCache } from "./staging-cache.ts";

describe("H-17 a staging that is kept", () => {
  it("holds until the settings or a hook's own file change", async () => {
    using project = new TemporaryProject();
    const places = placesOf(project.dir, project.env);
    project.write("a.sh", "#!/bin/sh\n");
    project.configure("Stop", [{ command: "./a.sh" }]);
    const cache = new StagingCache();
    const staging = () => cache.stage("Stop", {}, places, project.env);
    const first = await staging();
    assert.equal(await staging(), first);
    assert.equal(cache.made, 1);
    project.write("a.sh", "#!/bin/sh\ntrue\n");
    assert.notEqual(await staging(), first);
    project.configure("Stop", [{ command: "./a.sh" }, { command: "./b.sh" }]);
    assert.equal((await staging()).staging.hooks.length, 2);
    await staging();
    assert.equal(cache.made, 3);
  });

  it("is thrown away when there are too many others", async () => {
    using project = new TemporaryProject();
    const places = placesOf(project.dir, project.env);
    project.configure("PreToolUse", [{ command: "echo x" }]);
    const cache = new StagingCache();
    const staging = (tool: number) => cache.stage("PreToolUse", { tool_name: `tool${tool}` }, places, project.env);
    for (let tool = 0; tool <= 500; tool++) await staging(tool);
    await staging(500);
    assert.equal(cache.made, 501);
    await staging(0);
    assert.equal(cache.made, 502);
  });

  it("is made from what was seen of undeclared hooks only while their files are the ones that were watched", async () => {
    using project = new TemporaryProject();
    const places = placesOf(project.dir, project.env);
    const files = ["a", "b"].map((name) => project.write(`${name}.sh`, "#!/bin/sh\n"));
    const stages = async () => (await stageEvent("Stop", {}, places)).staging.stages.length;
    project.configure("Stop", [{ command: "./a.sh" }, { command: "./b.sh" }], { observed: true });
    assert.equal(await stages(), 2);
    const { hooks } = (await stageEvent("Stop", {}, places)).staging;
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
    const cache = new StagingCache();
    const kept = async () => (await cache.stage("Stop", {}, places, project.env)).staging.stages.length;
    assert.equal(await kept(), 2);
    addObservations(`${project.dir}/.coppice/hooks`, "Stop", seen);
    assert.equal(await stages(), 1);
    assert.equal(await kept(), 1);
    project.write("b.sh", "#!/bin/sh\necho changed >a.out\n");
    assert.equal(await stages(), 2);
  });
});
