import assert from "node:assert/strict";
import { rmSync, statSync, utimesSync } from "node:fs";
import { describe, it } from "node:test";
import { TemporaryProject } from "../../test/temporary-project.ts";
import { checkProject } from "../check/check-project.ts";
import { placesOf } from "../settings/scopes.ts";
import { stageProject, stagingText } from "../staging/describe-staging.ts";
import { stageEvent } from "../staging/stage-event.ts";
import { StagingCache } from "../staging/staging-cache.ts";
import { straceWorks } from "./strace.ts";
import { traceProject } from "./trace-project.ts";

const EVENT = "UserPromptSubmit";

/** Two hooks that touch nothing, traced and declared by the trace. */
async function tracedProject(): Promise<TemporaryProject> {
  const project = new TemporaryProject();
  project.write("a.sh", "#!/bin/sh\necho 111\n");
  project.write("b.sh", "#!/bin/sh\ngrep -q forbidden && exit 2\necho 2\n");
  project.configure(EVENT, [{ command: "./a.sh" }, { command: "./b.sh" }]);
  const request = { event: EVENT, places: placesOf(project.dir, project.env), env: project.env, input: undefined };
  const signal = new AbortController().signal;
  await traceProject({ ...request, subject: undefined, strace: true, write: true, signal });
  const store = JSON.parse(project.read(".claude/coppice-hooks.json"));
  for (const declared of Object.values(store.declare)) Object.assign(declared as object, { reads: [], writes: [] });
  project.write(".claude/coppice-hooks.json", JSON.stringify(store));
  return project;
}

describe("a hook that changed since it was traced", () => {
  it("runs alone, in a process and in the daemon, until it is traced again; run says so once, check exits 1", async () => {
    using project = await tracedProject();
    const places = placesOf(project.dir, project.env);
    const cache = new StagingCache();
    const stages = async () => {
      const alone = (await stageEvent(EVENT, {}, places)).staging.stages;
      assert.deepEqual((await cache.stage(EVENT, {}, places, project.env)).staging.stages, alone, "in the daemon");
      return alone;
    };
    assert.deepEqual(await stages(), [[0, 1]]);
    assert.equal((await checkProject(places, project.env)).ok, true);

    // Same size, same time of change: whoever put it there wanted nobody to notice.
    const file = `${project.dir}/a.sh`;
    const { atime, mtime } = statSync(file);
    project.write("a.sh", "#!/bin/sh\necho >x\n");
    utimesSync(file, atime, mtime);
    assert.deepEqual(await stages(), [[0], [1]]);
    assert.match((await stageProject(places)).problems.join(), /UserPromptSubmit: a changed since it was traced/);
    const plan = stagingText(await stageProject(places));
    assert.match(
      plan,
      /why\n {2}a\n {4}has changed since the last trace, so it runs alone\n$/,
      "it does declare something",
    );
    assert.equal((await project.answer(EVENT, { prompt: "forbidden" })).exitCode, 2, "an answer with no room for it");
    assert.match(
      String((await project.answer(EVENT)).json.systemMessage),
      /^a changed since it was traced, so it runs alone until/,
    );
    assert.equal((await project.answer(EVENT)).json.systemMessage, undefined, "said once");
    const { ok, findings } = await checkProject(places, project.env);
    assert.equal(ok, false);
    assert.ok(
      findings.some(({ severity, text }) => severity === "error" && /a: has changed since it was traced/.test(text)),
    );

    project.write("a.sh", "#!/bin/sh\necho 111\n");
    assert.deepEqual(await stages(), [[0, 1]], "the content that was traced");
  });

  it("is one on every machine: what it was traced of stands in the shared store, not only where it was watched", async () => {
    using project = await tracedProject();
    const places = placesOf(project.dir, project.env);
    const store = ".claude/coppice-hooks.json";
    const stages = async () => (await stageEvent(EVENT, {}, places)).staging.stages;
    const { declare } = JSON.parse(project.read(store));
    assert.deepEqual(Object.keys(declare[`${EVENT}/a`].traced.files), ["a.sh"]);
    const observed = project.read(".coppice/hooks/observed.json");
    rmSync(`${project.dir}/.coppice`, { recursive: true });
    assert.deepEqual(await stages(), [[0, 1]], "a clone");
    project.write("a.sh", "#!/bin/sh\r\necho 111\r\n");
    assert.deepEqual(await stages(), [[0, 1]], "a checkout with other line ends");
    project.write("a.sh", "#!/bin/sh\necho 1 > x\n");
    assert.deepEqual(await stages(), [[0], [1]], "changed, and traced nowhere");
    assert.match((await project.answer(EVENT)).json.systemMessage ?? "", /^a changed since it was traced/);
    assert.equal((await checkProject(places, project.env)).ok, false);

    // Somebody else traced it again and shared the store: what was seen here of an older one does not count.
    const { signal } = new AbortController();
    const request = { event: EVENT, places, env: project.env, input: undefined, subject: undefined, signal };
    await traceProject({ ...request, strace: straceWorks(), write: true });
    assert.deepEqual(await stages(), [[0, 1]]);
    project.write(".coppice/hooks/observed.json", observed);
    assert.deepEqual(await stages(), [[0, 1]]);
    rmSync(`${project.dir}/.coppice`, { recursive: true });
    const settings = project.read(".claude/settings.json");
    project.write(".claude/settings.json", settings.replace("./b.sh", "./b.sh | tee y"));
    assert.deepEqual(await stages(), [[0], [1]], "another command of the same name");

    project.write(".claude/settings.json", settings);
    const torn = JSON.parse(project.read(store));
    torn.declare[`${EVENT}/b`].traced = "yesterday";
    project.write(store, JSON.stringify(torn));
    assert.deepEqual(await stages(), [[0], [1]], "not as a trace writes it");
  });

  it("is also one whose helpers changed, which it starts or sources from another folder", async () => {
    for (const [script, helper] of [
      ["#!/bin/sh\n. lib/h.sh\n", "lib/h.sh"],
      ["#!/bin/sh\nlib/h\n", "lib/h"],
    ]) {
      using project = new TemporaryProject();
      project.write("a.sh", script);
      project.write(helper, "#!/bin/sh\ntrue\n");
      project.configure(EVENT, [{ command: "./a.sh" }, { command: "true" }]);
      const places = placesOf(project.dir, project.env);
      const request = { event: EVENT, places, env: project.env, input: undefined, subject: undefined };
      await traceProject({ ...request, strace: true, write: true, signal: new AbortController().signal });
      assert.deepEqual((await stageEvent(EVENT, {}, places)).staging.stages, [[0, 1]], helper);
      project.write(helper, "#!/bin/sh\necho 1 > x\n");
      assert.deepEqual((await stageEvent(EVENT, {}, places)).staging.stages, [[0], [1]], helper);
    }
  });

  it("is not taken for unchanged because the record is damaged, and a damaged record stops nothing", async () => {
    using project = await tracedProject();
    for (const text of ["", "{", "[]", `{"${EVENT}": 5}`, `{"${EVENT}": {"a": {"files": 1}}}`]) {
      project.write(".coppice/hooks/observed.json", text);
      assert.equal((await project.answer(EVENT)).exitCode, 0, text);
    }
  });

  it("is not one whose command names data that hooks write: a trace sees who reads it, and running them changes no code", async () => {
    const count = "n=$(cat .claude/hooks/turns); sleep 0.2; echo $((n + 1)) > .claude/hooks/turns";
    const readers = [
      "cat .claude/hooks/turns",
      "echo turn; cat < .claude/hooks/turns | tr a b",
      'sh "$CLAUDE_PROJECT_DIR"/.claude/hooks/show.sh',
      ".claude/hooks/show.sh .claude/hooks/turns",
    ];
    for (const reader of readers) {
      using project = new TemporaryProject();
      project.write(".claude/hooks/turns", "1\n");
      project.write(".claude/hooks/show.sh", "#!/bin/sh\ncat .claude/hooks/turns\n");
      project.configure(EVENT, [{ command: count }, { command: reader }]);
      const places = placesOf(project.dir, project.env);
      const request = { event: EVENT, places, env: project.env, input: undefined, subject: undefined };
      await traceProject({ ...request, strace: true, write: true, signal: new AbortController().signal });
      assert.deepEqual((await stageEvent(EVENT, {}, places)).staging.stages, [[0], [1]], reader);
      const { json } = await project.answer(EVENT);
      assert.match(JSON.stringify(json), /"additionalContext":"(?:turn\\n)?3"/, reader);
      assert.equal(json.systemMessage, undefined, reader);
      assert.deepEqual((await checkProject(places, project.env)).findings, [], reader);
    }
  });
});
