import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { TemporaryProject } from "../../test/temporary-project.ts";
import { checkProject } from "../check/check-project.ts";
import { stageEvent } from "../staging/stage-event.ts";
import { readEventSettings } from "./read-settings.ts";
import { placesOf } from "./scopes.ts";

const group = (...commands: readonly string[]) => ({
  hooks: commands.map((command) => ({ type: "command", command })),
});

function configure(project: TemporaryProject, hooks: object, declare: object): void {
  project.write(".claude/settings.json", JSON.stringify({ hooks }));
  project.write(".claude/coppice-hooks.json", JSON.stringify({ declare }));
}

async function errors(project: TemporaryProject): Promise<readonly string[]> {
  const { findings } = await checkProject(placesOf(project.dir, project.env), project.env);
  return findings
    .filter(({ severity }) => severity === "error")
    .map(({ text }) => text.replaceAll(`${project.dir}/`, ""));
}

const touched = (project: TemporaryProject, event: string) =>
  readEventSettings(event, placesOf(project.dir, project.env)).hooks.map(({ name, touches }) => [name, touches]);

const nothing = { reads: [], writes: [] };

describe("a declaration belongs to a hook", () => {
  it("not to whatever script has the same file name: both then run alone, and check says how to name each", async () => {
    using project = new TemporaryProject();
    for (const folder of ["a", "b"]) project.write(`${folder}/run.sh`, "#!/bin/sh\n");
    const hooks = { Stop: [group("./a/run.sh")], UserPromptSubmit: [group("./b/run.sh", "cat")] };
    configure(project, hooks, { run: nothing, cat: nothing });
    assert.deepEqual(touched(project, "Stop"), [["run", undefined]]);
    assert.deepEqual(touched(project, "UserPromptSubmit"), [
      ["run", undefined],
      ["cat", nothing],
    ]);
    const { staging, problems } = await stageEvent("UserPromptSubmit", {}, placesOf(project.dir, project.env));
    assert.deepEqual(staging.stages, [[0], [1]]);
    assert.equal(problems.length, 1, "run says so");
    assert.deepEqual(await errors(project), [
      ".claude/coppice-hooks.json:1: declare.run: could mean different hooks, so it means none and they run alone; " +
        'declare "Stop/run" and "UserPromptSubmit/run"',
    ]);
    configure(project, hooks, { "Stop/run": nothing, "UserPromptSubmit/run": { reads: ["x"] }, cat: nothing });
    assert.deepEqual(touched(project, "Stop"), [["run", nothing]]);
    assert.deepEqual(touched(project, "UserPromptSubmit")[0], ["run", { reads: ["x"], writes: [] }]);
    assert.deepEqual(await errors(project), []);
  });

  it("and what is wrong with it is named where it stands", async () => {
    using project = new TemporaryProject();
    configure(project, { Stop: [group("cat")] }, { cat: { reads: "x" }, "Stop/cat": { writes: 5 } });
    assert.deepEqual(
      (await errors(project)).map((text) => text.split(": must")[0]),
      [".claude/coppice-hooks.json:1: declare.cat.reads", ".claude/coppice-hooks.json:1: declare.Stop/cat.writes"],
    );
  });

  it("also when it is an inline command, or one script with different arguments, in whatever order they stand", async () => {
    using project = new TemporaryProject();
    const commands = ["sh -c 'echo 1 >n'", "sh -c 'cat n'", "./run.sh --first", "./run.sh --second"];
    project.write("run.sh", "#!/bin/sh\n");
    configure(project, { Stop: [group(...commands)] }, { sh: nothing, run: nothing });
    const forwards = touched(project, "Stop");
    assert.equal(new Set(forwards.map(([name]) => name)).size, 4);
    assert.ok(forwards.every(([, touches]) => touches === undefined));
    configure(project, { Stop: [group(...commands.toReversed())] }, { sh: nothing });
    assert.deepEqual(touched(project, "Stop").toReversed(), forwards, "names do not depend on the order");
    const [first] = forwards[0] as [string];
    configure(project, { Stop: [group(...commands)] }, { [first]: nothing });
    assert.deepEqual(
      touched(project, "Stop").map(([, touches]) => touches),
      [nothing, undefined, undefined, undefined],
    );
  });

  it("that exists, with fields that exist", async () => {
    using project = new TemporaryProject();
    configure(
      project,
      { Stop: [group("cat")] },
      { cat: { read: [], writes: [] }, gone: nothing, "SubagentStop/cat": nothing },
    );
    const store = ".claude/coppice-hooks.json:1: declare";
    assert.deepEqual(await errors(project), [
      `${store}.cat.read: unknown; what can be declared is timeout, args, reads, writes, after, module, chain, background, onFailure, traced`,
      `${store}.gone: no hook of any event has this name`,
      `${store}.SubagentStop/cat: no hook of any event has this name`,
    ]);
  });

  it("and when half of it is wrong, none of what it says about touching is believed", () => {
    using project = new TemporaryProject();
    for (const wrong of [{ reads: "x" }, { after: "b" }, { writes: [1] }, { chain: "yes" }, { raeds: ["x"] }]) {
      configure(project, { Stop: [group("cat")] }, { cat: { ...nothing, ...wrong } });
      assert.deepEqual(touched(project, "Stop"), [["cat", undefined]], JSON.stringify(wrong));
    }
  });

  it("nor where a key of its own entry is misspelt, while keys that only the agent knows cost nothing", () => {
    using project = new TemporaryProject();
    for (const wrong of [
      { reads: [], writs: ["x"] },
      { ...nothing, afer: ["b"] },
      { ...nothing, Chain: true },
    ]) {
      configure(project, { Stop: [{ hooks: [{ command: "cat", ...wrong }] }] }, {});
      assert.deepEqual(touched(project, "Stop"), [["cat", undefined]], JSON.stringify(wrong));
      const { problems } = readEventSettings("Stop", placesOf(project.dir, project.env));
      assert.match(problems.map(({ message }) => message).join(), /^unknown; did you mean "\w+"\? "cat" runs alone$/);
    }
    const theirs = { statusMessage: "x", model: "m", once: true, tags: ["x"], if: "y", shell: "bash" };
    configure(project, { Stop: [{ hooks: [{ command: "cat", ...nothing, ...theirs }] }] }, {});
    assert.deepEqual(touched(project, "Stop"), [["cat", nothing]]);
    const { problems } = readEventSettings("Stop", placesOf(project.dir, project.env));
    assert.deepEqual(problems, []);
  });

  it("`after` a plain name means all hooks that go by it", async () => {
    using project = new TemporaryProject();
    const hooks = { Stop: [group("cat", "./a/run.sh", "./b/run.sh")] };
    configure(project, hooks, { cat: { ...nothing, after: ["run"] }, "a/run": nothing, "b/run": nothing });
    const { staging } = await stageEvent("Stop", {}, placesOf(project.dir, project.env));
    assert.deepEqual(staging.stages, [[1, 2], [0]]);
  });
});

describe("settings that would switch a guard off", () => {
  it("are found by check: misspelt events and shapes nobody reads hooks from", async () => {
    using project = new TemporaryProject();
    const settings = ".claude/settings.json";
    const found = async (value: unknown) => {
      project.write(settings, JSON.stringify(value));
      return (await errors(project)).join("\n");
    };
    for (const [event, meant] of Object.entries({
      PreToolUs: "PreToolUse",
      preToolUse: "PreToolUse",
      UserPromtSubmit: "UserPromptSubmit",
      "Pre-Tool-Use": "PreToolUse",
      SubAgentStop: "SubagentStop",
    })) {
      const said = `${settings}:1: hooks.${event}: not an event, so its hooks never run; did you mean ${meant}?`;
      assert.equal(await found({ hooks: { [event]: [group("cat")] } }), said);
    }
    assert.match(await found({ hooks: { "on stop": [] } }), /hooks.on stop: not written like an event/);
    assert.match(await found({ hooks: [] }), /hooks: must be an object with one list per event/);
    assert.match(await found([]), /the file must hold an object/);
    assert.match(await found({ hooks: { Stop: { hooks: [] } } }), /hooks.Stop: must be a list of groups/);
    assert.match(
      await found({ hooks: { Stop: [{ command: "cat" }] } }),
      /hooks.Stop\[0\]: a hook, where a group of hooks is expected/,
    );
    assert.match(
      await found({ hooks: { PreToolUse: [{ matcher: "(", hooks: [] }] } }),
      /not a valid regular expression/,
    );
    assert.match(await found({ hooks: { PreToolUse: [{ matcher: ["Bash"], hooks: [] }] } }), /runs as if it matched/);
    const { hooks } = group("cat");
    assert.match(
      await found({ hooks: { Stop: [{ hoks: hooks }] } }),
      /hooks.Stop\[0\]: has no "hooks", as .*nothing of/,
    );
    assert.match(
      await found({ hooks: { PreToolUse: [{ mather: "Bash", hooks }] } }),
      /hooks.PreToolUse\[0\].mather: unknown; did you mean "matcher"\? The group runs as if it matched/,
    );
    assert.match(
      await found({ hoks: { Stop: [{ hooks }] } }),
      /:1: hoks: unknown key, so its hooks never run; did you/,
    );
    assert.equal(await found({ books: { read: 1 }, hooks: { Stop: [{}, { matcher: "" }] } }), "");
    for (const [event, matcher, meant] of [
      ["PreToolUse", "Read|bash", "Bash"],
      ["SessionStart", "Startup", "startup"],
    ]) {
      const said = `never matches ${meant}: upper and lower case count`;
      assert.ok((await found({ hooks: { [event]: [{ matcher, hooks }] } })).endsWith(said), matcher);
    }
    assert.equal(await found({ hooks: { PreToolUse: [{ matcher: "bash.*|mcp__x__bash", hooks }] } }), "");
    assert.equal(await found({ hooks: { Stop: [] } }), "");
    for (const reminder of [{ events: "SessionStart" }, { events: ["session start"] }, { text: 5 }, []]) {
      project.write(".claude/coppice-hooks.json", JSON.stringify({ options: { reminder } }));
      assert.match(await found({ hooks: { Stop: [] } }), /options.reminder: must be true, a text, or/);
    }
    project.write(".claude/coppice-hooks.json", JSON.stringify({ options: [], declares: {} }));
    assert.match(await found({}), /declares: unknown key.*/);
    assert.match(await found({ hooks: { Stop: [] } }), /options: must be an object/);
  });

  it("block what a guard might have forbidden, when the list of an installed entry is lost", async () => {
    using project = new TemporaryProject();
    for (const event of ["PreToolUse", "Stop"]) {
      project.write(
        ".claude/settings.json",
        JSON.stringify({ hooks: { [event]: [group(`coppice hooks run ${event}`)] } }),
      );
      project.write(".claude/coppice-hooks.json", "{");
      const { exitCode, stderr, json } = await project.answer(event, { tool_name: "Bash" });
      assert.equal(exitCode, event === "Stop" ? 0 : 2);
      assert.match(event === "Stop" ? String(json.systemMessage) : stderr, /coppice-hooks.json/);
      rmSync(join(project.dir, ".claude/coppice-hooks.json"));
      const gone = await project.answer(event, { tool_name: "Bash" });
      assert.equal(gone.exitCode, exitCode);
      assert.match(
        event === "Stop" ? String(gone.json.systemMessage) : gone.stderr,
        /has the list of hooks and cannot/,
      );
      const { findings } = await checkProject(placesOf(project.dir, project.env), project.env);
      assert.match(findings[0].text, /coppice-hooks\.json has the list of hooks and cannot be read$/);
    }
  });
});
