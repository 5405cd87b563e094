import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { TemporaryProject } from "../../test/temporary-project.ts";
import { selectHooks } from "../staging/stage-hooks.ts";
import { subjectOf } from "./matcher.ts";
import { configuredEvents, type EventSettings, readEventSettings } from "./read-settings.ts";
import { placesOf } from "./scopes.ts";
import { describeProblem, type Problem } from "./settings-problem.ts";

function read(project: TemporaryProject, event: string): EventSettings {
  return readEventSettings(event, placesOf(project.dir, project.env));
}

function names(settings: EventSettings, subject?: string): readonly string[] {
  return selectHooks(settings.hooks, subject).map((hook) => hook.name);
}

const group = (command: string, matcher?: string) => ({ matcher, hooks: [{ type: "command", command }] });

describe("reading settings", () => {
  it("H-01 merges user, project, local, plugin and managed settings in that order", () => {
    using project = new TemporaryProject();
    const { home, root } = project;
    const plugin = `${root}/plugin`;
    const settings = (command: string, more: object = {}) =>
      JSON.stringify({ hooks: { Stop: [group(command)] }, ...more });
    project.write(
      `${home}/.claude/settings.json`,
      settings("./user.sh", { enabledPlugins: { "p@m": true, "q@m": false } }),
    );
    project.write(".claude/settings.json", settings("./project.sh"));
    project.write(".claude/settings.local.json", settings("./local.sh"));
    project.write(`${root}/managed/managed-settings.json`, settings("./managed.sh"));
    project.write(
      `${home}/.claude/plugins/installed_plugins.json`,
      JSON.stringify({
        version: 2,
        plugins: { "p@m": [{ installPath: plugin }], "q@m": [{ installPath: `${root}/off` }] },
      }),
    );
    project.write(`${plugin}/hooks/hooks.json`, settings("$CLAUDE_PLUGIN_ROOT/plugin.sh"));
    project.write(`${root}/off/hooks/hooks.json`, settings("./off.sh"));
    const found = read(project, "Stop");
    assert.deepEqual(names(found), ["user", "project", "local", "plugin", "managed"]);
    assert.equal(found.hooks[3].pluginRoot, plugin);
    assert.deepEqual(found.problems, []);
  });

  it("H-01 takes plain words exactly, anything else as a regular expression, and nothing as everything", () => {
    using project = new TemporaryProject();
    const groups = [
      group("./word.sh", "Bash"),
      group("./list.sh", "Edit|Write"),
      group("./pattern.sh", "mcp__.*"),
      group("./star.sh", "*"),
      group("./empty.sh", ""),
      group("./absent.sh"),
    ];
    project.write(".claude/settings.json", JSON.stringify({ hooks: { PreToolUse: groups } }));
    const found = read(project, "PreToolUse");
    const everywhere = ["star", "empty", "absent"];
    assert.deepEqual(names(found, "Bash"), ["word", ...everywhere]);
    assert.deepEqual(names(found, "bash"), everywhere);
    assert.deepEqual(names(found, "BashOutput"), everywhere);
    assert.deepEqual(names(found, "Write"), ["list", ...everywhere]);
    assert.deepEqual(names(found, "NotebookEdit"), everywhere);
    assert.deepEqual(names(found, "mcp__git__log"), ["pattern", ...everywhere]);
    assert.equal(subjectOf("PreToolUse", { tool_name: "Bash" }), "Bash");
    assert.equal(subjectOf("SessionStart", { source: "resume" }), "resume");
    assert.equal(subjectOf("UserPromptSubmit", { tool_name: "Bash" }), undefined);
  });

  it("H-01 runs a group whose matcher is not a regular expression as if it matched, and says where it is", () => {
    using project = new TemporaryProject();
    const text = JSON.stringify(
      { hooks: { PreToolUse: [group("./a.sh", "mcp__("), group("./b.sh", "Bash")] } },
      null,
      2,
    );
    const file = project.write(".claude/settings.json", text);
    const found = read(project, "PreToolUse");
    assert.deepEqual(names(found, "Bash"), ["a", "b"]);
    assert.equal(found.problems.length, 1);
    assert.equal(found.problems[0].severity, "error");
    const line = text.split("\n").findIndex((candidate) => candidate.includes("mcp__(")) + 1;
    assert.match(
      describeProblem(found.problems[0]),
      new RegExp(`^${file}:${line}: hooks.PreToolUse\\[0\\].matcher: not a valid`),
    );
  });

  it("H-02 runs identical commands once, at their first position", () => {
    using project = new TemporaryProject();
    const groups = [
      group("./gate.sh", "Bash"),
      group("./b.sh", "Bash"),
      group("./gate.sh", "Bash|Write"),
      group("./gate.sh", "Write"),
    ];
    project.write(".claude/settings.json", JSON.stringify({ hooks: { PreToolUse: groups } }));
    const found = read(project, "PreToolUse");
    assert.deepEqual(names(found, "Bash"), ["gate", "b"]);
    assert.deepEqual(names(found, "Write"), ["gate"]);
  });

  it("gives different commands of one file name different names", () => {
    using project = new TemporaryProject();
    const groups = [group("./a/check.sh"), group("python3 b/check.py --fast"), group("./a/check.sh")];
    project.write(".claude/settings.json", JSON.stringify({ hooks: { Stop: groups } }));
    assert.deepEqual(
      read(project, "Stop").hooks.map((hook) => hook.name),
      ["a/check", "b/check", "a/check"],
    );
  });

  it("lets `declare` describe hooks of plain settings by name", () => {
    using project = new TemporaryProject();
    project.write(".claude/settings.json", JSON.stringify({ hooks: { Stop: [group("./a.sh"), group("./b.sh")] } }));
    const store = { declare: { a: { reads: ["x"], after: ["b"], background: true, timeout: 3 } } };
    project.write(".claude/coppice-hooks.json", JSON.stringify(store));
    const [a, b] = read(project, "Stop").hooks;
    assert.deepEqual(a.touches, { reads: ["x"], writes: [] });
    assert.deepEqual([a.after, a.background, a.timeoutMs], [["b"], true, 3000]);
    assert.equal(b.touches, undefined);
  });

  it("keeps a hook whose declaration is wrong, and names the field", () => {
    using project = new TemporaryProject();
    const hook = { type: "command", command: "./a.sh", reads: "x", timeout: "soon" };
    const file = project.write(".claude/settings.json", JSON.stringify({ hooks: { Stop: [{ hooks: [hook] }] } }));
    const found = read(project, "Stop");
    assert.deepEqual(names(found), ["a"]);
    assert.equal(found.hooks[0].timeoutMs, 600_000);
    assert.match(
      describeProblem(found.problems[0]),
      new RegExp(`^${file}:1: hooks.Stop\\[0\\].hooks\\[0\\].timeout: must be a number`),
    );
  });

  it("names a settings file that is a link to nowhere or in a circle, and none that is simply missing", () => {
    for (const target of ["settings.json", "/nowhere/settings.json"]) {
      using project = new TemporaryProject();
      assert.deepEqual(read(project, "Stop").problems, []);
      const file = join(project.dir, ".claude/settings.json");
      symlinkSync(target, file);
      const { problems, readable } = read(project, "Stop");
      assert.deepEqual(problems.map(describeProblem), [
        `${file}:1: a symbolic link to ${target}, which cannot be read`,
      ]);
      assert.equal(readable, false);
      const everywhere: Problem[] = [];
      assert.deepEqual(configuredEvents(placesOf(project.dir, project.env), everywhere), []);
      assert.equal(everywhere.length, 1);
    }
  });

  it("H-16 uses the backup, one by one, when our entry is there but its list is broken", () => {
    using project = new TemporaryProject();
    const settings = ".claude/settings.json";
    project.write(settings, JSON.stringify({ hooks: { Stop: [group("coppice hooks run Stop")] } }));
    project.write(
      `${settings}.before-coppice`,
      JSON.stringify({ hooks: { Stop: [group("./a.sh"), group("./b.sh")] } }),
    );
    const store = project.write(".claude/coppice-hooks.json", '{"hooks": {');
    const found = read(project, "Stop");
    assert.deepEqual(names(found), ["a", "b"]);
    assert.match(found.serialBecause ?? "", /coppice-hooks.json cannot be used/);
    assert.match(describeProblem(found.problems[0]), new RegExp(`^${store}:1: not JSON at column 12: `));
  });

  it("leaves the rest of the settings to the agent once our entry is installed", () => {
    using project = new TemporaryProject();
    project.write(
      ".claude/settings.json",
      JSON.stringify({ hooks: { Stop: [group("coppice hooks run Stop"), group("./own.sh")] } }),
    );
    project.write(`${project.home}/.claude/settings.json`, JSON.stringify({ hooks: { Stop: [group("./user.sh")] } }));
    project.write(".claude/coppice-hooks.json", JSON.stringify({ hooks: { Stop: [group("./moved.sh")] } }));
    assert.deepEqual(names(read(project, "Stop")), ["moved"]);
  });
});
