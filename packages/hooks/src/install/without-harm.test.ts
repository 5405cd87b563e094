import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { applyChanges } from "@coppice/engine/user-files";
import { publicShapes } from "../../test/public-shapes.ts";
import { TemporaryProject } from "../../test/temporary-project.ts";
import { checkProject } from "../check/check-project.ts";
import { answerEvent } from "../run/answer-event.ts";
import { readEventInput } from "../run/event-input.ts";
import { configuredEvents } from "../settings/read-settings.ts";
import { placesOf } from "../settings/scopes.ts";
import { changesToInstall, changesToUninstall, type InstallRequest } from "./install-entries.ts";
import { untracedHooks, untracedRemarks } from "./untraced-hooks.ts";

const usual: InstallRequest = {
  scopes: ["project", "local"],
  program: { node: process.execPath, file: "/nowhere/coppice-hooks.cjs" },
  rules: false,
  assumeIndependent: false,
};

const SETTINGS = ".claude/settings.json";
const STORE = ".claude/coppice-hooks.json";

function install(project: TemporaryProject, request: Partial<InstallRequest> = {}): void {
  applyChanges(changesToInstall(placesOf(project.dir, project.env), { ...usual, ...request }));
}

function uninstall(project: TemporaryProject, scopes: InstallRequest["scopes"] = ["user", "project", "local"]): void {
  applyChanges(changesToUninstall(placesOf(project.dir, project.env), scopes));
}

const hookNamed = (command: string) => ({ hooks: [{ type: "command", command }] });

/** What each event of a project is answered, about two tools. */
async function answers(project: TemporaryProject): Promise<readonly unknown[]> {
  const said: unknown[] = [];
  for (const event of configuredEvents(placesOf(project.dir, project.env), [])) {
    for (const tool_name of ["Bash", "Edit"]) {
      const { exitCode, json, stderr } = await project.answer(event, { tool_name, prompt: "p", source: "startup" });
      // What is wrong in a part that stays the agent's is not said of ours.
      const clean = (text = "") => text.split("\n").filter((line) => line !== "" && !/\.json:\d+:/.test(line));
      said.push([event, tool_name, exitCode, { ...json, systemMessage: clean(json.systemMessage) }, clean(stderr)]);
    }
  }
  return said;
}

describe("installing without harm", () => {
  assert.equal(Object.keys(publicShapes).length, 21);
  for (const [shape, text] of Object.entries(publicShapes)) {
    it(`keeps what hooks say, and every byte on the way back: ${shape}`, async () => {
      using project = new TemporaryProject();
      project.write(SETTINGS, text);
      const before = await answers(project);
      install(project);
      assert.notEqual(project.read(SETTINGS), text, "nothing was installed");
      assert.deepEqual(await answers(project), before);
      install(project);
      uninstall(project);
      assert.equal(project.read(SETTINGS), text);
      assert.deepEqual(readdirSync(join(project.dir, ".claude")), ["settings.json"]);
    });

    it(`changes only what is about hooks, and keeps what was changed meanwhile: ${shape}`, () => {
      using project = new TemporaryProject();
      project.write(SETTINGS, text);
      install(project);
      const changed = project.read(SETTINGS).replace(/^(\ufeff?\{)/, '$1 "added": 1, // by hand\n');
      project.write(SETTINGS, changed);
      uninstall(project);
      const expected = text.replace(/^(\ufeff?\{)/, '$1 "added": 1, // by hand\n');
      assert.equal(project.read(SETTINGS), expected);
    });
  }

  it("leaves symbolic links links, and refuses what it could not write back", () => {
    using project = new TemporaryProject();
    const shared = project.write(`${project.root}/dotfiles/settings.json`, publicShapes["indented with tabs"]);
    symlinkSync(shared, join(project.dir, SETTINGS));
    install(project);
    assert.ok(lstatSync(join(project.dir, SETTINGS)).isSymbolicLink());
    assert.match(readFileSync(shared, "utf8"), /coppice-hooks\.sh/);
    uninstall(project);
    assert.equal(realpathSync(join(project.dir, SETTINGS)), shared);
    assert.equal(readFileSync(shared, "utf8"), publicShapes["indented with tabs"]);

    using dangling = new TemporaryProject();
    symlinkSync("/nowhere/settings.json", join(dangling.dir, SETTINGS));
    assert.throws(
      () => install(dangling),
      /settings\.json: a symbolic link to \/nowhere\/settings\.json, which cannot be read/,
    );
    using folder = new TemporaryProject();
    mkdirSync(join(folder.dir, SETTINGS));
    assert.throws(() => install(folder), /settings\.json cannot be read: it is a folder$/);
    for (const [file, text] of [
      [SETTINGS, '{\n"hooks": 5}'],
      [STORE, '{\n"hooks": []}'],
      [STORE, '{\n"declare": 1}'],
    ]) {
      using wrong = new TemporaryProject();
      wrong.write(file, text);
      assert.throws(() => install(wrong), /\.json:2: (?:hooks|declare) must be an object/);
    }
    using latin = new TemporaryProject();
    latin.write(SETTINGS, "");
    spawnSync("sh", ["-c", `printf '{"x": "\\374"}' >${SETTINGS}`], { cwd: latin.dir });
    assert.throws(() => install(latin), /not UTF-8/);
  });

  it("writes no machine's path into shared settings, and a launcher that holds guards closed without Coppice", async () => {
    using project = new TemporaryProject();
    project.write(SETTINGS, JSON.stringify({ hooks: { PreToolUse: [hookNamed("true")], Stop: [hookNamed("true")] } }));
    install(project);
    const settings = project.read(SETTINGS);
    assert.ok(!settings.includes(process.execPath) && !settings.includes(project.root), settings);
    const start = (event: string, env: NodeJS.ProcessEnv = {}) => {
      const { command } = JSON.parse(settings).hooks[event][0].hooks[0];
      const all = { PATH: "/usr/bin:/bin", CLAUDE_PROJECT_DIR: project.dir, ...env };
      const { status, stderr, stdout } = spawnSync("/bin/sh", ["-c", command], {
        env: all,
        encoding: "utf8",
        input: "{}",
      });
      return { status, stderr, stdout };
    };
    const guard = start("PreToolUse");
    assert.equal(guard.status, 2);
    assert.match(guard.stderr, /Coppice, which is not installed here.*\nInstall it with: npm install/);
    assert.equal(start("Stop").status, 1, "a Stop hook that blocks would never let the agent stop");
    // The project's dependency, and whatever is in the path.
    project.write("node_modules/.bin/coppice", '#!/bin/sh\necho "dependency $*"\n');
    assert.equal(start("PreToolUse").stdout, "dependency hooks run PreToolUse\n");
    project.write(`${project.root}/own/program.sh`, '#!/bin/sh\necho "noted $*"\n');
    install(project, { program: { node: "/bin/sh", file: `${project.root}/own/program.sh` } });
    assert.equal(start("PreToolUse").stdout, "noted hooks run PreToolUse\n");
    assert.equal(project.read(".coppice/hooks/.gitignore"), "*\n", "where this machine has it is nobody else's");
  });

  it("holds guards closed in every shell without the launcher, and for a Coppice that no Node could start", async () => {
    using project = new TemporaryProject();
    project.write(SETTINGS, JSON.stringify({ hooks: { PreToolUse: [hookNamed("true")], Stop: [hookNamed("true")] } }));
    install(project);
    const launcher = project.read(".claude/coppice-hooks.sh");
    rmSync(join(project.dir, ".coppice/hooks/program"));
    const path = join(project.root, "only-sh");
    mkdirSync(path);
    symlinkSync("/bin/sh", join(path, "sh"));
    const start = (event: string, shell = "/bin/sh") => {
      const { command } = JSON.parse(project.read(SETTINGS)).hooks[event][0].hooks[0];
      const env = { PATH: path, CLAUDE_PROJECT_DIR: project.dir };
      return spawnSync(shell, ["-c", command], { env, encoding: "utf8", input: "{}" });
    };
    project.write("node_modules/.bin/coppice", "#!/usr/bin/env node\n");
    const guard = start("PreToolUse");
    assert.deepEqual([guard.status, start("Stop").status], [2, 1]);
    assert.match(guard.stderr, /Coppice, which is not installed here.*\nIt needs Node, which is not in the path/);

    project.write(".claude/coppice-hooks.sh", "");
    assert.deepEqual([start("PreToolUse").status, start("Stop").status], [2, 1], "cut off while it was written");
    rmSync(join(project.dir, ".claude/coppice-hooks.sh"));
    for (const shell of ["/bin/sh", "/bin/bash"].filter((file) => existsSync(file))) {
      assert.deepEqual([start("PreToolUse", shell).status, start("Stop", shell).status], [2, 1], shell);
      assert.match(start("PreToolUse", shell).stderr, /\.claude\/coppice-hooks\.sh is missing, so no hook ran\n$/);
    }
    const checked = () => checkProject(placesOf(project.dir, project.env), project.env);
    const { ok, findings } = await checked();
    assert.equal(ok, false);
    assert.match(findings.map(({ text }) => text).join("\n"), /coppice-hooks\.sh is missing, so no hook of .*settings/);
    project.write(".claude/coppice-hooks.sh", launcher);
    assert.equal((await checked()).ok, true);
  });

  it("uses this machine's files where only this machine reads them", () => {
    using project = new TemporaryProject();
    project.write(".claude/settings.local.json", JSON.stringify({ hooks: { Stop: [hookNamed("true")] } }));
    install(project);
    assert.match(project.read(".claude/settings.local.json"), /\/nowhere\/coppice-hooks\.cjs/);
    assert.deepEqual(readdirSync(join(project.dir, ".claude")).sort(), [
      "coppice-hooks.local.json",
      "settings.local.json",
      "settings.local.json.before-coppice",
    ]);
    // The same events in shared settings now: two texts would be two hooks for the agent.
    project.write(SETTINGS, JSON.stringify({ hooks: { Stop: [hookNamed("pwd")] } }));
    assert.throws(
      () => install(project, { scopes: ["project"] }),
      /starts Coppice differently .*install --scope project,local/,
    );
    install(project);
    assert.equal(
      new Set(
        [SETTINGS, ".claude/settings.local.json"].map(
          (file) => JSON.parse(project.read(file)).hooks.Stop[0].hooks[0].command,
        ),
      ).size,
      1,
    );
  });

  it("starts this installation from the user's settings in every project, whatever a project has in its own", async () => {
    using project = new TemporaryProject();
    const settings = join(project.env.HOME ?? "", SETTINGS);
    const launcher = join(project.env.HOME ?? "", ".claude/coppice-hooks.sh");
    const before = JSON.stringify({ hooks: { PreToolUse: [hookNamed("true")], Stop: [hookNamed("true")] } });
    project.write(settings, before);
    project.write(SETTINGS, before);
    const program = { node: "/bin/sh", file: project.write(`${project.root}/own/it's.sh`, 'echo "own $*"\n') };
    install(project, { scopes: ["user"], program });
    assert.ok(!project.read(SETTINGS).includes("coppice"), "the project's own are left alone");
    const start = (event: string, projectDir: string) => {
      const { command } = JSON.parse(readFileSync(settings, "utf8")).hooks[event][0].hooks[0];
      const env = { PATH: "/usr/bin:/bin", HOME: project.env.HOME, CLAUDE_PROJECT_DIR: projectDir };
      const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", command], { env, encoding: "utf8", input: "{}" });
      return { status, stdout, stderr };
    };
    const ours = { status: 0, stdout: "own hooks run PreToolUse\n", stderr: "" };
    assert.deepEqual(start("PreToolUse", "/nowhere"), ours);
    project.write("theirs/.claude/coppice-hooks.sh", "echo theirs\n");
    assert.deepEqual(start("PreToolUse", join(project.dir, "theirs")), ours, "a repository brought one along");
    // The same text in the project's settings: agents run it once.
    install(project, { program });
    assert.deepEqual(
      JSON.parse(project.read(SETTINGS)).hooks.Stop,
      JSON.parse(readFileSync(settings, "utf8")).hooks.Stop,
    );
    // Local settings need no launcher of the project beside the user's, and are not refused.
    using other = new TemporaryProject();
    other.write(".claude/settings.local.json", before);
    const home = { ...other.env, HOME: project.env.HOME };
    const places = placesOf(other.dir, home);
    const changes = changesToInstall(places, { ...usual, program });
    applyChanges(changes);
    assert.deepEqual(
      JSON.parse(other.read(".claude/settings.local.json")).hooks.Stop,
      JSON.parse(readFileSync(settings, "utf8")).hooks.Stop,
    );
    assert.ok(!existsSync(join(other.dir, ".claude/coppice-hooks.sh")));
    applyChanges(changesToUninstall(places, ["project", "local"]));
    assert.ok(existsSync(launcher));
    rmSync(program.file);
    const gone = start("PreToolUse", project.dir);
    assert.deepEqual([gone.status, start("Stop", project.dir).status], [2, 1]);
    assert.match(gone.stderr, /is not where it was \(.*it's\.sh\), so nothing was checked; run: .* --scope user\n$/);
    uninstall(project, ["user"]);
    assert.deepEqual([readFileSync(settings, "utf8"), existsSync(launcher)], [before, false]);
    uninstall(project);
    assert.equal(project.read(SETTINGS), before);
  });

  it("adds the entries that habits need, check says where they are missing, and uninstall takes them away", async () => {
    using project = new TemporaryProject();
    const text =
      '{\n  "hooks": { "PreToolUse": [{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "true" }] }] }\n}\n';
    project.write(SETTINGS, text);
    const options = {
      sequentialAgents: "warn",
      suggestDigest: true,
      reminder: { text: "remember", events: ["SessionStart"] },
    };
    project.write(STORE, JSON.stringify({ options }));
    const places = placesOf(project.dir, project.env);
    const errors = async () =>
      (await checkProject(places, project.env)).findings
        .filter(({ severity }) => severity === "error")
        .map((f) => f.text);
    assert.deepEqual(await errors(), [
      'options: no entry of Coppice is asked for PreToolUse about Task, Agent, Read, so sequentialAgents and suggestDigest cannot work; run "coppice hooks install"',
      'options: no entry of Coppice is asked for SessionStart, so reminder cannot work; run "coppice hooks install"',
    ]);
    install(project);
    assert.deepEqual(await errors(), []);
    const { hooks } = JSON.parse(project.read(SETTINGS));
    assert.equal(hooks.PreToolUse[0].matcher, "Bash|Task|Agent|Read");
    assert.equal(hooks.SessionStart[0].matcher, undefined);
    const big = project.write("big.txt", "line\n".repeat(2000));
    const read = await project.answer("PreToolUse", { tool_name: "Read", tool_input: { file_path: big } });
    assert.match(String(read.json.hookSpecificOutput?.additionalContext), /2000 lines to read/);
    const start = await project.answer("SessionStart", { source: "startup" });
    assert.equal(start.json.hookSpecificOutput?.additionalContext, "remember");
    uninstall(project);
    assert.equal(project.read(SETTINGS), text);
  });

  it("finds a hook that suggests a digest where no read is asked about", async () => {
    using project = new TemporaryProject();
    const suggest = (event: string, matcher: string) => ({
      hooks: { [event]: [{ matcher, ...hookNamed("npx coppice hooks suggest-digest") }] },
    });
    const errors = async (settings: object) => {
      project.write(SETTINGS, JSON.stringify(settings));
      const { findings } = await checkProject(placesOf(project.dir, project.env), project.env);
      return findings.filter(({ severity }) => severity === "error").length;
    };
    assert.equal(await errors(suggest("PreToolUse", "Read")), 0);
    assert.equal(await errors(suggest("PreToolUse", "Bash")), 1);
    assert.equal(await errors(suggest("PostToolUse", "Read")), 1);
  });

  it("says before it makes anybody slower, and can leave hooks parallel, loudly", async () => {
    using project = new TemporaryProject();
    project.write(
      SETTINGS,
      JSON.stringify({ hooks: { Stop: ["pwd", "true", "date"].map(hookNamed), SessionEnd: [hookNamed("true")] } }),
    );
    const places = placesOf(project.dir, project.env);
    const untraced = await untracedHooks(places, ["project"]);
    assert.match(
      untracedRemarks(untraced, false, false)[0],
      /^3 hooks would run one by one; the agent runs them at the same time today/,
    );
    assert.match(untracedRemarks(untraced, false, true)[0], /^ATTENTION: nothing is known of 3 hooks/);
    install(project, { assumeIndependent: true });
    assert.deepEqual(await untracedHooks(places, ["project"]), []);
    const signal = new AbortController().signal;
    const input = readEventInput(Buffer.from(JSON.stringify({ session_id: "s", cwd: project.dir })));
    const call = {
      event: "Stop",
      input,
      env: project.env,
      cwd: project.dir,
      project: project.dir,
      serial: false,
      signal,
    };
    assert.equal((await answerEvent({ ...call, daemon: "none", exitCodes: true })).merged.exitCode, 0);
    uninstall(project);
    assert.deepEqual(await untracedHooks(places, ["project"]), untraced, "what was assumed is forgotten");
  });

  it("check finds hooks that were added beside our entry, which the agent would run while the list runs", async () => {
    using project = new TemporaryProject();
    project.write(SETTINGS, JSON.stringify({ hooks: { Stop: [hookNamed("true")] } }));
    install(project);
    const places = placesOf(project.dir, project.env);
    assert.equal((await checkProject(places, project.env)).ok, true);
    const { hooks } = JSON.parse(project.read(SETTINGS)) as { hooks: { Stop: object[] } };
    project.write(SETTINGS, JSON.stringify({ hooks: { Stop: [...hooks.Stop, hookNamed("cat later")] } }));
    const { ok, findings } = await checkProject(places, project.env);
    assert.equal(ok, false);
    assert.match(
      JSON.stringify(findings),
      /settings\.json:1: cat later: the agent runs it at the same time as the list/,
    );
    install(project);
    assert.equal((await checkProject(places, project.env)).ok, true);
  });
});
