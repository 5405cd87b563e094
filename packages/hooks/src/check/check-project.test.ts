import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TemporaryProject } from "../../test/temporary-project.ts";
import { TwentyOneHooks } from "../../test/twenty-one.ts";
import { readEventInput } from "../run/event-input.ts";
import { placesOf } from "../settings/scopes.ts";
import { stageEvent } from "../staging/stage-event.ts";
import { addObservations } from "../trace/observations.ts";
import { straceWorks } from "../trace/strace.ts";
import { traceEvent } from "../trace/trace-event.ts";
import { checkFiles } from "./check-files.ts";
import { checkEvent, checkProject } from "./check-project.ts";

async function check(project: TemporaryProject, event: string): Promise<readonly string[]> {
  const findings = await checkEvent(event, placesOf(project.dir, project.env), project.env);
  return findings.map(({ severity, text }) => `${severity}: ${text.replaceAll(`${project.dir}/`, "")}`);
}

async function traceAll(project: TemporaryProject, event: string, input: object): Promise<void> {
  const { staging } = await stageEvent(event, {}, placesOf(project.dir, project.env));
  const bytes = Buffer.from(JSON.stringify({ session_id: "s1", cwd: project.dir, ...input }));
  const surroundings = { cwd: project.dir, projectDir: project.dir, env: project.env };
  const seen = await traceEvent(staging, readEventInput(bytes), surroundings, "strace", new AbortController().signal);
  addObservations(
    `${project.dir}/.coppice/hooks`,
    event,
    seen.map(({ observation }) => observation),
  );
}

describe("checking", () => {
  it("finds conflicts nobody declared in what was traced", { skip: !straceWorks() && "no strace here" }, async () => {
    using project = new TwentyOneHooks();
    await traceAll(project, "UserPromptSubmit", { prompt: "fix it" });
    assert.deepEqual(await check(project, "UserPromptSubmit"), []);
    const store = JSON.parse(project.read(".claude/coppice-hooks.json"));
    store.declare.detect_confidence_penalty = { reads: [], writes: [] };
    project.write(".claude/coppice-hooks.json", JSON.stringify(store));
    const found = await check(project, "UserPromptSubmit");
    const G = ".claude/memory/confidence_state.json";
    assert.ok(
      found.some((line) => line.endsWith(`detect_confidence_penalty: writes ${G}, which is not declared`)),
      found.join("\n"),
    );
    assert.ok(
      found.includes(
        `error: UserPromptSubmit: pre_advice and detect_confidence_penalty run at the same time, but both touch ${G} and one of them writes it`,
      ),
    );
    project.write(".claude/hooks/confidence.sh", "#!/bin/sh\n");
    const after = await check(project, "UserPromptSubmit");
    assert.ok(!after.some((line) => line.includes("run at the same time")), "stale observations prove nothing");
  });

  it("names files that are missing or not executable, hooks that do not exist, circles and background conflicts", async () => {
    using project = new TemporaryProject();
    const free = { reads: [], writes: [] };
    project.write("plain.sh", "echo\n");
    project.configure("Stop", [
      { command: "./gone.sh", ...free },
      { command: "./plain.sh", ...free },
      { command: "python3 hooks/gone.py", name: "py", ...free, after: ["nobody"] },
      { command: "sh -eu gone2.sh out.js", ...free },
      { command: "no-such-program x", ...free },
      { command: "cat out.js", name: "module", module: "gone.ts", ...free },
      { command: "node --import tsx out.txt", ...free },
      { command: "./late.sh | cat", name: "writer", reads: [], writes: ["x"], background: true },
      { command: "cat x", reads: ["x"], writes: [] },
    ]);
    const found = await check(project, "Stop");
    const place = "error: .claude/settings.json:1:";
    assert.deepEqual(found, [
      `${place} gone: ./gone.sh does not exist`,
      `${place} plain: ./plain.sh is not executable (chmod +x)`,
      `${place} py: hooks/gone.py does not exist`,
      `${place} py: declares "after" "nobody", which is not a hook of this event`,
      `${place} gone2: gone2.sh does not exist`,
      `${place} no-such-program: no-such-program is not in the path`,
      `${place} module: gone.ts does not exist`,
      "error: Stop: cat conflicts with writer, which runs in the background and is not waited for",
    ]);
    project.configure("Stop", [
      { command: "cat", ...free, after: ["sort"] },
      { command: "sort", ...free, after: ["cat"] },
    ]);
    assert.match((await check(project, "Stop"))[0], /^error: Stop: these hooks wait for each other/);
    const later = { command: "cat", ...free, background: true };
    project.configure("PreToolUse", [later]);
    assert.match(
      (await check(project, "PreToolUse"))[0],
      /^remark: .*cat: runs in the background, so it cannot block$/,
    );
    project.configure("Stop", [later]);
    assert.deepEqual(await check(project, "Stop"), []);
  });

  it("names what is wrong before what is only to be known", async () => {
    using project = new TemporaryProject();
    project.configure("Stop", [{ command: "cat" }, { command: "./gone.sh" }, { type: "prompt", prompt: "fine?" }]);
    const { findings, ok } = await checkProject(placesOf(project.dir, project.env), project.env);
    assert.deepEqual(
      findings.map(({ severity }) => severity),
      ["error", "remark", "remark", "remark"],
    );
    assert.equal(ok, false);
  });

  it("says which hooks run alone for want of a declaration, and which keys count twice", async () => {
    using project = new TemporaryProject();
    project.configure("Stop", [{ command: "cat" }]);
    assert.match((await check(project, "Stop"))[0], /^remark: .*cat: declares neither reads nor writes/);
    const file = project.write(".claude/settings.json", '{"hooks": {"Stop": [],\n"Stop": []}}');
    assert.deepEqual(checkFiles(placesOf(project.dir, project.env)), [
      { severity: "error", text: `${file}:2: the key "Stop" occurs twice; only the last counts` },
    ]);
  });

  it("finds entries of ours that differ between scopes", () => {
    using project = new TemporaryProject();
    const entry = (command: string) => JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: "command", command }] }] } });
    const local = project.write(".claude/settings.local.json", entry("npx coppice hooks run Stop"));
    const shared = project.write(".claude/settings.json", entry("npx coppice hooks run Stop"));
    assert.deepEqual(checkFiles(placesOf(project.dir, project.env)), []);
    project.write(".claude/settings.json", entry("npx coppice hooks run Stopp"));
    assert.match(
      checkFiles(placesOf(project.dir, project.env))[0].text,
      /hooks\.Stop: Coppice's entry asks for Stopp, so no hook of Stop runs; .* must end with "hooks run Stop"$/,
    );
    project.write(".claude/settings.json", entry("coppice hooks run Stop"));
    const [finding] = checkFiles(placesOf(project.dir, project.env));
    assert.match(
      finding.text,
      new RegExp(`^Stop: the entries in ${shared} and ${local} differ, so all hooks would run twice`),
    );
  });
});
