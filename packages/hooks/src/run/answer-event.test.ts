import assert from "node:assert/strict";
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { groupAlive } from "@coppice/engine/child-process";
import { TemporaryProject } from "../../test/temporary-project.ts";

const free = { reads: [], writes: [] };
const context = (text: string) => ({
  hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: text },
});

/** How long hooks in these tests sleep if nobody ends them. */
const SLEEP_MS = 600_000;

/** Waits for something another process will do; gives up after a generous time. */
async function until(condition: () => boolean): Promise<boolean> {
  for (let i = 0; i < 3000 && !condition(); i++) await sleep(10);
  return condition();
}

describe("answering an event with real processes", () => {
  it("H-03 H-04 gives each hook the whole input, the session's directory and the agent's variables, no more", async () => {
    using project = new TemporaryProject();
    project.write("sub/x", "");
    project.configure("UserPromptSubmit", [
      { command: "sh -c 'cat >in1'", ...free },
      { command: "sh -c 'cat >in2'", ...free },
      { command: "/usr/bin/env", ...free },
      { command: "pwd", ...free },
    ]);
    const cwd = join(project.dir, "sub");
    const { json } = await project.answer("UserPromptSubmit", { prompt: "ü", cwd });
    const sent = readFileSync(join(cwd, "in1"), "utf8");
    assert.equal(JSON.parse(sent).prompt, "ü");
    assert.equal(readFileSync(join(cwd, "in2"), "utf8"), sent);
    const lines = String(json.hookSpecificOutput?.additionalContext).split("\n");
    const expected = Object.entries({ ...project.env, CLAUDE_PROJECT_DIR: project.dir }).map(([k, v]) => `${k}=${v}`);
    assert.deepEqual(lines.slice(0, -1).sort(), expected.sort());
    assert.equal(lines.at(-1), cwd);
  });

  it("H-10 ends a hook and its children at the timeout, also when they ignore TERM", async () => {
    using project = new TemporaryProject();
    project.write("stubborn.sh", '#!/bin/sh\ntrap "" TERM\n(trap "" TERM; sleep 600) &\necho $! >child\nsleep 600\n');
    project.configure("Stop", [{ command: "./stubborn.sh", timeout: 0.3 }]);
    const began = Date.now();
    const { exitCode, json } = await project.answer("Stop");
    assert.ok(Date.now() - began < SLEEP_MS / 2, "it was left to end by itself");
    assert.equal(exitCode, 0);
    assert.equal(json.systemMessage, "stubborn took longer than its 0.3 s and was ended");
    const child = Number(project.read("child"));
    assert.ok(await until(() => !existsSync(`/proc/${child}`) || isZombie(child)), "the child is still there");
  });

  it("H-10 ends at the timeout what a hook started in sessions of its own, also when it ignores TERM", async () => {
    using project = new TemporaryProject();
    const escaping = "setsid sh -c 'trap \"\" TERM; echo $$ >ESCAPED; sleep 600 & wait; sleep 600' &";
    project.write(
      "runaway.sh",
      `#!/bin/sh\n${escaping.replace("ESCAPED", "first")}\n(${escaping.replace("ESCAPED", "second")} sleep 600) &\nsleep 600\n`,
    );
    project.configure("Stop", [{ command: "./runaway.sh", timeout: 0.5 }]);
    const began = Date.now();
    const { json } = await project.answer("Stop");
    assert.equal(json.systemMessage, "runaway took longer than its 0.5 s and was ended");
    for (const name of ["first", "second"]) {
      const pid = Number(project.read(name));
      assert.ok(await until(() => !existsSync(`/proc/${pid}`) || isZombie(pid)), `the ${name} one is still there`);
    }
    assert.ok(Date.now() - began < SLEEP_MS / 2, "they were left to end by themselves");
  });

  it("leaves alone what a hook that ended by itself put into a session of its own", async () => {
    using project = new TemporaryProject();
    project.configure("Stop", [
      {
        command:
          "setsid sh -c 'echo $$ >left; exec sleep 600' >/dev/null 2>&1 & until [ -s left ]; do sleep 0.01; done",
      },
    ]);
    await project.answer("Stop");
    const pid = Number(project.read("left"));
    assert.ok(existsSync(`/proc/${pid}`) && !isZombie(pid), "it was ended");
    process.kill(pid, "SIGKILL");
  });

  it("H-16 a configuration error is shown and costs only what it names", async () => {
    using project = new TemporaryProject();
    const group = { hooks: [{ type: "command", command: "echo here" }, { type: "command" }] };
    const file = project.write(".claude/settings.json", JSON.stringify({ hooks: { SessionStart: [group, "x"] } }));
    const { json } = await project.answer("SessionStart");
    assert.equal(json.hookSpecificOutput?.additionalContext, "here");
    assert.match(
      String(json.systemMessage),
      new RegExp(`${file}:1: hooks.SessionStart\\[0\\].hooks\\[1\\]: needs a command`),
    );
  });

  it("H-16 says that the hooks of a project which is not there did not run", async () => {
    using project = new TemporaryProject();
    const env = { ...project.env, CLAUDE_PROJECT_DIR: "/nowhere" };
    const { json } = await project.answer("PreToolUse", {}, { env, project: undefined });
    assert.equal(json.systemMessage, "CLAUDE_PROJECT_DIR: there is no directory /nowhere; its hooks did not run");
  });

  it("H-16 a circle of declarations runs the list in its order", async () => {
    using project = new TemporaryProject();
    const hook = (name: string, after: string[]) => ({ command: `sh -c 'echo ${name} >>order'`, name, ...free, after });
    project.configure("Stop", [hook("a", ["b"]), hook("b", ["a"]), hook("c", [])]);
    const { json } = await project.answer("Stop");
    assert.equal(project.read("order"), "a\nb\nc\n");
    assert.match(
      String(json.systemMessage),
      /hooks ran one by one: these hooks wait for each other: (a → b → a|b → a → b)/,
    );
  });

  it("H-20 survives hooks that ignore their input, flood, print no UTF-8, close late or leave children", async () => {
    using project = new TemporaryProject();
    const input = "x".repeat(2_000_000);
    project.write("flood.sh", "#!/bin/sh\nhead -c 100000000 /dev/zero | tr '\\0' a\n");
    project.write("bytes.sh", "#!/bin/sh\nprintf 'a\\377b'\n");
    project.write("late.sh", "#!/bin/sh\necho early\n(sleep 600; echo late) &\necho $! >late\n");
    project.write("quiet-child.sh", "#!/bin/sh\nsleep 600 >/dev/null 2>&1 </dev/null &\necho $! >left\n");
    project.configure(
      "UserPromptSubmit",
      ["true", "./flood.sh", "./bytes.sh", "./late.sh", "./quiet-child.sh"].map((command) => ({ command, ...free })),
    );
    const began = performance.now();
    const { json } = await project.answer("UserPromptSubmit", { prompt: input });
    assert.ok(performance.now() - began < SLEEP_MS * 0.8, "nothing waits for the sleepers");
    const text = String(json.hookSpecificOutput?.additionalContext);
    const mebibyte = 1024 * 1024;
    assert.equal(text, `${"a".repeat(mebibyte)}\n[flood: cut after ${mebibyte} of 100000000 bytes]\na\ufffdb\nearly`);
    for (const file of ["late", "left"]) {
      const pid = Number(project.read(file));
      assert.ok(await until(() => !existsSync(`/proc/${pid}`) || isZombie(pid)), `${file} left process ${pid}`);
    }
  });

  it("H-13 H-20 skips hooks that are missing, not executable or killed", async () => {
    using project = new TemporaryProject();
    project.write("plain.sh", "echo never\n");
    project.write("suicide.sh", "#!/bin/sh\nkill -9 $$\n");
    chmodSync(join(project.dir, "plain.sh"), 0o644);
    project.configure(
      "UserPromptSubmit",
      ["./gone.sh", "./plain.sh", "./suicide.sh", "gone | cat"].map((command) => ({ command })),
    );
    const { exitCode, json } = await project.answer("UserPromptSubmit");
    assert.equal(exitCode, 0);
    assert.equal(
      json.systemMessage,
      "gone.sh could not be started (./gone.sh: not found)\n" +
        "plain could not be started (./plain.sh: not executable)\nsuicide was ended by SIGKILL",
    );
  });

  it("H-12 exits 2 with the reason alone, whatever was printed beside it", async () => {
    using project = new TemporaryProject();
    project.write("block.sh", "#!/bin/sh\necho '{\"continue\": true}'\necho not now >&2\nexit 2\n");
    project.configure("UserPromptSubmit", [
      { command: "./block.sh", ...free },
      { command: "cat", ...free },
    ]);
    const { exitCode, stdout, stderr } = await project.answer("UserPromptSubmit");
    assert.deepEqual([exitCode, stdout, stderr], [2, "{}\n", "not now\n"]);
  });

  it("H-21 two events of one session do not lose each other's writes", async () => {
    using project = new TemporaryProject();
    project.write("count.sh", "#!/bin/sh\nread n <count\nsleep 0.05\necho $((n + 1)) >count\n");
    project.write("count", "0\n");
    project.configure("Stop", [{ command: "./count.sh", reads: ["count"], writes: ["count"] }]);
    await Promise.all(Array.from({ length: 5 }, () => project.answer("Stop")));
    assert.equal(project.read("count"), "5\n");
  });

  it("H-21 takes over the lock of a process that is gone", async () => {
    using project = new TemporaryProject();
    project.configure("Stop", [{ command: "true" }]);
    project.write(".coppice/hooks/locks/s1.lock", "999999999 1");
    // An event that had waited for the lock in vain would say so.
    assert.deepEqual((await project.answer("Stop")).json, {});
    assert.equal(existsSync(join(project.dir, ".coppice/hooks/locks/s1.lock")), false);
  });

  it("starts background hooks without waiting, and logs what they say", async () => {
    using project = new TemporaryProject();
    project.write("slow.sh", "#!/bin/sh\ncat >got\nuntil [ -e go ]; do sleep 0.02; done\necho slow but sure\n");
    project.configure("Stop", [
      { command: "./slow.sh", background: true, ...free },
      { command: "true", ...free },
    ]);
    const { json } = await project.answer("Stop", { marker: 7 });
    assert.deepEqual(json, {});
    // The event is over, and the hook still waits for this.
    project.write("go", "");
    const log = join(project.dir, ".coppice/hooks/background.log");
    const said = () => existsSync(log) && readFileSync(log, "utf8").endsWith("slow but sure\n");
    assert.ok(await until(said), "it was not logged");
    assert.match(readFileSync(log, "utf8"), /"hook":"slow".*"kind":"exited","code":0\}\n {2}slow but sure\n$/);
    assert.equal(JSON.parse(project.read("got")).marker, 7);
    assert.equal(statSync(log).mode & 0o077, 0);
  });

  it("H-23 adds the reminder to the events it is configured for", async () => {
    using project = new TemporaryProject();
    project.configure("SessionStart", [{ command: "echo first", ...free }], { reminder: "delegate in parallel" });
    const { json } = await project.answer("SessionStart");
    assert.equal(json.hookSpecificOutput?.additionalContext, "first\ndelegate in parallel");
    assert.deepEqual((await project.answer("UserPromptSubmit")).json, {});
    project.configure("SessionStart", [], { reminder: { text: "again", events: ["UserPromptSubmit"] } });
    assert.deepEqual((await project.answer("UserPromptSubmit")).json, context("again"));
  });

  it("ends everything when the agent gives up", async () => {
    using project = new TemporaryProject();
    project.write("long.sh", "#!/bin/sh\necho $$ >pid\nsleep 600\n");
    project.configure("Stop", [{ command: "./long.sh" }]);
    const giveUp = new AbortController();
    const answer = project.answer("Stop", {}, { signal: giveUp.signal });
    assert.ok(await until(() => existsSync(join(project.dir, "pid"))));
    giveUp.abort("the agent ended the event");
    await answer;
    assert.ok(await until(() => !groupAlive(Number(project.read("pid")))));
  });

  const asRoot = process.getuid?.() === 0 ? {} : { skip: "only root can make a file another user's" };
  it("skips, with a remark, settings above that a stranger made, unless they are named", asRoot, async () => {
    using project = new TemporaryProject();
    project.configure("Stop", [{ command: "echo no >&2; exit 2" }]);
    const cwd = join(project.dir, "sub");
    mkdirSync(cwd);
    const above = () => project.answer("Stop", { cwd }, { project: undefined });
    assert.equal((await above()).exitCode, 2);
    for (const theirs of [".claude", ".claude/settings.json", ".claude/coppice-hooks.json"]) {
      const path = join(project.dir, theirs);
      chownSync(path, 65534, 65534);
      const { exitCode, json } = await above();
      assert.equal(exitCode, 0);
      assert.ok(json.systemMessage?.includes(`${path} belongs to user 65534`), json.systemMessage);
      assert.equal((await project.answer("Stop", { cwd })).exitCode, 2);
      chownSync(cwd, 65534, 65534);
      assert.equal((await above()).exitCode, 2);
      for (const each of [path, cwd]) chownSync(each, 0, 0);
    }
  });
});

/** A process that has ended but was not yet collected by whoever inherited it. */
function isZombie(pid: number): boolean {
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return true;
  }
}
