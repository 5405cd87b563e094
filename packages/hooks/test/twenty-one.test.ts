import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { random } from "@coppice/engine";
import { soak } from "@coppice/engine/soak";
import { placesOf } from "../src/settings/scopes.ts";
import { stageEvent } from "../src/staging/stage-event.ts";
import { TwentyOneHooks } from "./twenty-one.ts";

const INTERLEAVINGS = soak(20, 200);
const PROMPTS = ["fix all tests again", "done, deploy the latest", "is this right?"];

describe("21 hooks that share state", () => {
  it("H-19 fit in three stages, and the file in the home directory is no conflict", async () => {
    using project = new TwentyOneHooks();
    const { staging, problems } = await stageEvent("UserPromptSubmit", {}, placesOf(project.dir, project.env));
    assert.deepEqual(problems, []);
    const names = staging.stages.map((stage) => stage.map((index) => staging.hooks[index].name));
    assert.equal(staging.hooks.length, 21);
    assert.deepEqual(names.slice(1), [["detect_confidence_penalty"], ["auto_commit_on_complete"]]);
    assert.equal(names[0].length, 19);
    assert.ok(names[0].includes("prerequisite_checker") && names[0].includes("meta_cognition"));
  });

  it("H-19 wait one stage longer for the edges the first design declared", async () => {
    using project = new TwentyOneHooks();
    const store = ".claude/coppice-hooks.json";
    const hooks = ["detect_low_confidence", "detect_confidence_penalty"];
    const { declare } = JSON.parse(project.read(store));
    for (const name of hooks) declare[name].after = ["confidence_init"];
    project.write(store, JSON.stringify({ declare }));
    const { staging } = await stageEvent("UserPromptSubmit", {}, placesOf(project.dir, project.env));
    const names = staging.stages.map((stage) => stage.map((index) => staging.hooks[index].name));
    assert.deepEqual(names.slice(1), [
      ["detect_low_confidence"],
      ["detect_confidence_penalty"],
      ["auto_commit_on_complete"],
    ]);
  });

  it(`H-07 H-18 leave files and answer of the serial order in ${INTERLEAVINGS} random interleavings, byte for byte`, async () => {
    using project = new TwentyOneHooks();
    const { hooks } = (await stageEvent("UserPromptSubmit", {}, placesOf(project.dir, project.env))).staging;
    const expected = new Map<string, { stdout: string; files: object }>();
    for (const prompt of PROMPTS) {
      project.reset();
      const { stdout } = await project.answer("UserPromptSubmit", { prompt }, { serial: true });
      expected.set(prompt, { stdout, files: project.snapshot() });
    }
    assert.equal(new Set([...expected.values()].map(({ stdout }) => stdout)).size, PROMPTS.length);
    const chance = random(7).at("interleavings");
    for (let run = 0; run < INTERLEAVINGS; run++) {
      const prompt = PROMPTS[run % 10 === 0 ? 1 : run % 2 === 0 ? 0 : 2];
      project.reset();
      const pauses = Object.fromEntries(
        hooks
          .filter(() => chance.uniform() < 0.3)
          .map(({ name }) => [`PAUSE_${name}`, (chance.uniform() * 0.012).toFixed(4)]),
      );
      const env = { ...project.env, ...pauses };
      const { stdout } = await project.answer(
        "UserPromptSubmit",
        { prompt },
        { env, concurrency: chance.integer(1, 21) },
      );
      assert.deepEqual({ stdout, files: project.snapshot() }, expected.get(prompt), JSON.stringify({ run, pauses }));
    }
  });

  it("differ from the serial order when all are simply started at once, which is what the stages are for", async () => {
    using project = new TwentyOneHooks();
    const { declare } = JSON.parse(project.read(".claude/coppice-hooks.json"));
    for (const name of Object.keys(declare)) declare[name] = { reads: [], writes: [] };
    const expected = await project.answer("UserPromptSubmit", { prompt: PROMPTS[0] }, { serial: true });
    const files = project.snapshot();
    project.write(".claude/coppice-hooks.json", JSON.stringify({ declare }));
    project.reset();
    const env = { ...project.env, PAUSE_confidence_init: "1", PAUSE_pre_advice: "1" };
    const unsafe = await project.answer("UserPromptSubmit", { prompt: PROMPTS[0] }, { env });
    assert.notDeepEqual(
      { answer: unsafe.stdout, state: project.read(".claude/memory/session_s1_state.json") },
      { answer: expected.stdout, state: files["project/.claude/memory/session_s1_state.json" as keyof typeof files] },
    );
  });
});
