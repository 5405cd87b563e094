import assert from "node:assert/strict";
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { UsageError } from "@coppice/engine/usage-error";
import { applyChanges, describeChanges, type FileChange, lineDiff } from "@coppice/engine/user-files";
import fc from "fast-check";
import { TemporaryProject } from "../../test/temporary-project.ts";
import { readEventSettings } from "../settings/read-settings.ts";
import { placesOf } from "../settings/scopes.ts";
import { changesToInstall, changesToUninstall, type InstallRequest, type InstallScope } from "./install-entries.ts";
import { withoutRules, withRules } from "./rules-section.ts";

const SETTINGS = ".claude/settings.json";

const usual: InstallRequest = {
  scopes: ["project"],
  command: "coppice",
  program: { node: "/usr/bin/node", file: "/opt/coppice-hooks.cjs" },
  rules: false,
  assumeIndependent: false,
};

function install(
  project: TemporaryProject,
  scopes: readonly InstallScope[] = ["project"],
  rules = false,
): readonly FileChange[] {
  const changes = changesToInstall(placesOf(project.dir, project.env), { ...usual, scopes, rules });
  applyChanges(changes);
  return changes;
}

function uninstall(project: TemporaryProject, scopes: readonly InstallScope[] = ["project"]): readonly FileChange[] {
  const changes = changesToUninstall(placesOf(project.dir, project.env), scopes);
  applyChanges(changes);
  return changes;
}

const command = (text: string, timeout?: number) => ({ type: "command", command: text, timeout });
const example = {
  model: "opus",
  hooks: {
    PreToolUse: [
      { matcher: "Bash", hooks: [command("./a.sh", 5), command("./b.sh", 7)] },
      { matcher: "Edit|Write", hooks: [command("./c.sh", 2), { type: "prompt", prompt: "fine?" }] },
    ],
    Stop: [{ hooks: [command("./d.sh")] }],
    Empty: [],
  },
};

describe("installing", () => {
  it("leaves one entry per event, which accepts what the moved groups accept and waits as long as they may", () => {
    using project = new TemporaryProject();
    project.write(SETTINGS, JSON.stringify(example));
    install(project);
    const settings = JSON.parse(project.read(SETTINGS));
    assert.equal(settings.model, "opus");
    assert.deepEqual(settings.hooks, {
      PreToolUse: [
        { matcher: "Bash|Edit|Write", hooks: [command("coppice hooks run PreToolUse", 29)] },
        { matcher: "Edit|Write", hooks: [{ type: "prompt", prompt: "fine?" }] },
      ],
      Stop: [{ hooks: [command("coppice hooks run Stop", 615)] }],
      Empty: [],
    });
    const found = readEventSettings("PreToolUse", placesOf(project.dir, project.env));
    assert.deepEqual(
      found.hooks.map((hook) => [hook.matcher, hook.name]),
      [
        ["Bash", "a"],
        ["Bash", "b"],
        ["Edit|Write", "c"],
      ],
    );
    assert.equal(found.installed, true);
  });

  it("waits as long as the list may take one by one: declared hooks run alone once they have changed", () => {
    using project = new TemporaryProject();
    const declared = [5, 7].map((timeout, at) => ({ ...command(`./${at}.sh`, timeout), reads: [], writes: [] }));
    project.write(SETTINGS, JSON.stringify({ hooks: { Stop: [{ hooks: declared }] } }));
    install(project);
    assert.equal(JSON.parse(project.read(SETTINGS)).hooks.Stop[0].hooks[0].timeout, 5 + 7 + 15);
  });

  it("does nothing the second time, and takes in what was added since", () => {
    using project = new TemporaryProject();
    project.write(SETTINGS, JSON.stringify(example));
    install(project);
    assert.deepEqual(install(project), []);
    const settings = JSON.parse(project.read(SETTINGS));
    settings.hooks.Stop.push({ hooks: [command("./e.sh")] });
    project.write(SETTINGS, JSON.stringify(settings));
    assert.ok(install(project).length > 0);
    const found = readEventSettings("Stop", placesOf(project.dir, project.env));
    assert.deepEqual(
      found.hooks.map((hook) => hook.name),
      ["d", "e"],
    );
    assert.deepEqual(JSON.parse(project.read(`${SETTINGS}.before-coppice`)).hooks.Stop.length, 2);
  });

  it("gives every byte back on uninstalling, and keeps what was changed meanwhile", () => {
    using project = new TemporaryProject();
    const text = `${JSON.stringify(example, null, "\t")}\n\n`;
    project.write(SETTINGS, text);
    install(project);
    uninstall(project);
    assert.deepEqual(globSync(".claude/*", { cwd: project.dir }), [SETTINGS]);
    assert.equal(project.read(SETTINGS), text);

    project.write(SETTINGS, JSON.stringify({ hooks: { Stop: example.hooks.Stop } }));
    install(project);
    project.write(SETTINGS, JSON.stringify({ ...JSON.parse(project.read(SETTINGS)), model: "haiku" }));
    uninstall(project);
    assert.deepEqual(
      JSON.parse(project.read(SETTINGS)),
      JSON.parse(JSON.stringify({ hooks: { Stop: example.hooks.Stop }, model: "haiku" })),
    );
    assert.deepEqual(uninstall(project), []);
  });

  it("keeps declarations and options that live in the store", () => {
    using project = new TemporaryProject();
    project.write(SETTINGS, JSON.stringify({ hooks: { Stop: example.hooks.Stop } }));
    project.write(
      ".claude/coppice-hooks.json",
      JSON.stringify({ options: { concurrency: 3 }, declare: { d: { reads: [] } } }),
    );
    install(project);
    uninstall(project);
    assert.deepEqual(JSON.parse(project.read(".claude/coppice-hooks.json")), {
      options: { concurrency: 3 },
      declare: { d: { reads: [] } },
    });
  });

  it("treats user, project and local settings each in their own files", () => {
    using project = new TemporaryProject();
    for (const file of [SETTINGS, ".claude/settings.local.json", `${project.home}/.claude/settings.json`]) {
      project.write(file, JSON.stringify({ hooks: { Stop: [{ hooks: [command(`./${file.length}.sh`)] }] } }));
    }
    install(project, ["user", "project", "local"]);
    assert.equal(readEventSettings("Stop", placesOf(project.dir, project.env)).hooks.length, 3);
    uninstall(project, ["user", "project", "local"]);
    assert.equal(existsSync(join(project.dir, ".claude/coppice-hooks.local.json")), false);
    assert.equal(readEventSettings("Stop", placesOf(project.dir, project.env)).installed, false);
  });

  it("shows the lines that change before it changes them", () => {
    using project = new TemporaryProject();
    project.write(SETTINGS, `${JSON.stringify({ model: "x", hooks: { Stop: example.hooks.Stop } }, null, 2)}\n`);
    const text = describeChanges(changesToInstall(placesOf(project.dir, project.env), usual));
    assert.match(text, /^- {13}"command": "\.\/d\.sh"$/m);
    assert.match(text, /^\+ {13}"command": "coppice hooks run Stop",$/m);
    assert.match(text, /coppice-hooks\.json: new file\n/);
  });

  it("refuses settings that are not JSON with file, line and reason, and keeps comments", () => {
    using project = new TemporaryProject();
    const file = project.write(SETTINGS, '{\n  "hooks": {\n    "Stop": [,]\n  }\n}');
    assert.throws(
      () => install(project),
      (error) =>
        error instanceof UsageError && error.message.startsWith(`${file}:3: not JSON at column 14: a value is`),
    );
    project.write(SETTINGS, `{ // mine\n "hooks": ${JSON.stringify({ Stop: example.hooks.Stop })}}`);
    install(project);
    assert.match(project.read(SETTINGS), /^\{ \/\/ mine\n "hooks": /);
  });
});

describe("an event called __proto__", () => {
  it("stays where it is, and is lost by nobody", () => {
    using project = new TemporaryProject();
    const hooks = '[{"hooks":[{"type":"command","command":"./a.sh"}]}]';
    const text = `{"hooks":{"__proto__":${hooks},"Stop":${hooks}}}`;
    project.write(SETTINGS, text);
    install(project);
    const kept = JSON.parse(project.read(SETTINGS)).hooks as object;
    assert.deepEqual(Object.keys(kept), ["__proto__", "Stop"]);
    assert.equal(JSON.stringify(Object.entries(kept)[0][1]), hooks);
    project.write(SETTINGS, project.read(SETTINGS).replace("615", "600")); // so that it is not the kept copy that comes back
    uninstall(project);
    assert.equal(JSON.stringify(JSON.parse(project.read(SETTINGS))), text);
  });
});

describe("rules for the agent's instruction file", () => {
  it("are one marked section that can be put in twice and taken out again", () => {
    for (const text of ["", "# Mine\n", "# Mine\n\nText.\n", "# A\n\n# B\n"]) {
      const once = withRules(text);
      assert.equal(withRules(once), once);
      assert.equal(withoutRules(once), text);
      assert.match(once, /one message/);
    }
    assert.equal(withoutRules(`# A\n\n${withRules("")}\n# B\n`), "# A\n\n# B\n");
  });

  it("are written with --rules only, and removed with the rest", () => {
    using project = new TemporaryProject();
    project.write("CLAUDE.md", "# Mine\n");
    project.write(SETTINGS, JSON.stringify({ hooks: { Stop: example.hooks.Stop } }));
    install(project);
    assert.equal(project.read("CLAUDE.md"), "# Mine\n");
    install(project, ["project", "local"], true);
    assert.match(project.read("CLAUDE.md"), /coppice ask --batch/);
    assert.equal(existsSync(join(project.dir, "CLAUDE.local.md")), false, "once is enough");
    uninstall(project);
    assert.equal(project.read("CLAUDE.md"), "# Mine\n");
  });
});

describe("a difference of lines", () => {
  it("can be applied: dropping `+` lines gives the old text, dropping `-` lines the new one", () => {
    const lines = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 12 });
    fc.assert(
      fc.property(lines, lines, (a, b) => {
        const diff = lineDiff(a.join("\n"), b.join("\n"), 99);
        const side = (mark: string) => diff.filter((line) => line[0] !== mark).map((line) => line.slice(2));
        if (a.join() === b.join()) assert.deepEqual(diff, []);
        else assert.deepEqual([side("+"), side("-")], [a, b]);
      }),
    );
  });
});
