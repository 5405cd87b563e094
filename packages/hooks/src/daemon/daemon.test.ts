import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { UsageError } from "@coppice/engine/usage-error";
import { TemporaryProject } from "../../test/temporary-project.ts";
import { DaemonClient } from "./client.ts";
import { HooksDaemon } from "./daemon.ts";
import { listenHttp } from "./http-events.ts";
import { meetingPlace, trustedToken } from "./meeting-place.ts";
import { ModuleHost } from "./module-host.ts";

const otherUsers = process.getuid?.() === 0 ? {} : { skip: "only root can make a folder another user's" };
const free = { reads: [], writes: [] };

function withModules(project: TemporaryProject): void {
  project.write(
    "hooks/hello.ts",
    "let n: number = 0;\nexport default (input: { prompt: string }) => 'hello ' + input.prompt + ' ' + ++n;\n",
  );
  project.write(
    "hooks/where.mjs",
    "export default (input, { cwd, env, projectDir }) => ({ systemMessage: [cwd, env.HOME, projectDir].join(' ') });\n",
  );
  project.write(
    "hooks/block.mjs",
    "export default () => { throw Object.assign(new Error('not now'), { exitCode: 2 }); };\n",
  );
  project.write("hooks/broken.mjs", "export default async () => { throw new Error('broken'); };\n");
  project.write("hooks/exit.mjs", "export default () => process.exit(3);\n");
  project.write("hooks/hang.mjs", "export default () => { for (;;); };\n");
  project.write("hooks/none.mjs", "export const nothing = 1;\n");
}

const SLOW =
  "import { writeFileSync } from 'node:fs';\nexport default (input, { cwd }) => { writeFileSync(cwd + '/began', ''); return new Promise((r) => setTimeout(r, 60000)); };\n";

const moduleHook = (name: string, more: object = {}) => ({
  command: `node hooks/${name}`,
  module: `hooks/${name}`,
  ...free,
  ...more,
});

async function withDaemon(project: TemporaryProject, use: (daemon: HooksDaemon) => Promise<void>): Promise<void> {
  const daemon = await HooksDaemon.start(meetingPlace(project.env));
  try {
    await use(daemon);
  } finally {
    await daemon.close();
  }
}

describe("module hooks", () => {
  it("run with and without the daemon, to the same answer", async () => {
    using project = new TemporaryProject();
    withModules(project);
    project.configure("UserPromptSubmit", [
      moduleHook("hello.ts"),
      moduleHook("where.mjs"),
      moduleHook("broken.mjs"),
      moduleHook("none.mjs"),
    ]);
    const cold = await project.answer("UserPromptSubmit", { prompt: "you" });
    assert.equal(cold.json.hookSpecificOutput?.additionalContext, "hello you 1");
    const none = join(project.dir, "hooks/none.mjs");
    assert.equal(
      cold.json.systemMessage,
      `${project.dir} ${project.home} ${project.dir}\nbroken exited with code 1: broken\nnone exited with code 1: ${none} has no default export that is a function`,
    );
    await withDaemon(project, async (daemon) => {
      const warm = await project.answer("UserPromptSubmit", { prompt: "you" }, { daemon: "ask" });
      assert.equal(warm.stdout, cold.stdout);
      const again = await project.answer("UserPromptSubmit", { prompt: "you" }, { daemon: "ask" });
      assert.equal(again.json.hookSpecificOutput?.additionalContext, "hello you 2", "the module stayed loaded");
      assert.equal(daemon.host.size, 4);
    });
  });

  it("block, exit and hang without taking the daemon or each other along", async () => {
    using project = new TemporaryProject();
    withModules(project);
    await withDaemon(project, async () => {
      project.configure("UserPromptSubmit", [
        moduleHook("exit.mjs"),
        moduleHook("hang.mjs", { timeout: 0.3 }),
        moduleHook("hello.ts"),
      ]);
      for (let round = 0; round < 2; round++) {
        const { json } = await project.answer("UserPromptSubmit", { prompt: "you" }, { daemon: "ask" });
        assert.equal(json.hookSpecificOutput?.additionalContext, `hello you ${round + 1}`);
        assert.equal(
          json.systemMessage,
          "exit exited with code 1: the module ended its thread with code 3\nhang took longer than its 0.3 s and was ended",
        );
      }
      project.configure("UserPromptSubmit", [moduleHook("block.mjs")]);
      const { exitCode, stderr } = await project.answer("UserPromptSubmit", {}, { daemon: "ask" });
      assert.deepEqual([exitCode, stderr], [2, "not now\n"]);
    });
  });

  it("that answered in time have not timed out because this process did not look", async () => {
    using project = new TemporaryProject();
    const path = project.write("hooks/quick.mjs", "export default () => 'quick';\n");
    const host = new ModuleHost();
    const call = { input: "{}", cwd: project.dir, projectDir: project.dir, env: project.env };
    const signal = new AbortController().signal;
    await host.call(path, call, 120_000, signal);
    const answer = host.call(path, call, 1000, signal);
    // After what is read and before the next look at the clock: a limit that trusts the clock has then run out.
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1200));
    assert.deepEqual(await answer, { kind: "replied", reply: { code: 0, stdout: "quick", stderr: "" } });
    await host.close();
  });

  it("are loaded again when their file changes", async () => {
    using project = new TemporaryProject();
    withModules(project);
    project.configure("UserPromptSubmit", [moduleHook("hello.ts")]);
    await withDaemon(project, async () => {
      await project.answer("UserPromptSubmit", { prompt: "a" }, { daemon: "ask" });
      project.write("hooks/hello.ts", "export default () => 'changed';\n");
      const { json } = await project.answer("UserPromptSubmit", { prompt: "a" }, { daemon: "ask" });
      assert.equal(json.hookSpecificOutput?.additionalContext, "changed");
    });
  });
});

describe("the daemon", () => {
  it("listens where only this user comes in, and cleans up", async () => {
    using project = new TemporaryProject();
    const place = meetingPlace(project.env);
    await withDaemon(project, async () => {
      assert.deepEqual(
        [place.directory, place.socket, place.tokenFile].map((path) => (statSync(path).mode & 0o777).toString(8)),
        ["700", "600", "600"],
      );
      await assert.rejects(HooksDaemon.start(place), /a daemon is already running \(pid \d+\)/);
    });
    assert.deepEqual([place.socket, place.tokenFile].map(existsSync), [false, false]);
    chmodSync(place.directory, 0o755);
    await assert.rejects(
      HooksDaemon.start(place),
      (error) => error instanceof UsageError && /is open to others/.test(error.message),
    );
    assert.equal(trustedToken(place), undefined, "nobody trusts a token others could have written");
  });

  it("trusts no place that another user could replace", async () => {
    using project = new TemporaryProject();
    const place = meetingPlace(project.env);
    const above = dirname(place.directory);
    mkdirSync(place.directory, { mode: 0o700 });
    writeFileSync(place.tokenFile, "planted", { mode: 0o600 });
    assert.equal(trustedToken(place), "planted");
    chmodSync(above, 0o777);
    assert.equal(trustedToken(place), undefined);
    await assert.rejects(HooksDaemon.start(place), /could be replaced by another user/);
    chmodSync(above, 0o1777);
    assert.equal(trustedToken(place), "planted", "as in a temporary directory: others cannot rename what is ours");
  });

  it("trusts neither a place of another user nor one in a directory of theirs", otherUsers, async () => {
    using project = new TemporaryProject();
    const place = meetingPlace(project.env);
    mkdirSync(place.directory, { mode: 0o700 });
    writeFileSync(place.tokenFile, "planted", { mode: 0o600 });
    for (const theirs of [place.directory, dirname(place.directory)]) {
      chownSync(theirs, 65534, 65534);
      assert.equal(trustedToken(place), undefined, theirs);
      await assert.rejects(HooksDaemon.start(place), UsageError);
      chownSync(theirs, 0, 0);
    }
    assert.equal(trustedToken(place), "planted");
  });

  it("is out of reach for another user, who can neither read the token nor connect", otherUsers, async () => {
    // The folders around it must not be what keeps others out: neither those of the tests' files nor the clone's.
    const { TMPDIR } = process.env;
    process.env.TMPDIR = "/tmp";
    using project = new TemporaryProject();
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
    chmodSync(project.root, 0o755);
    const node = join(project.root, "node");
    copyFileSync(process.execPath, node);
    await withDaemon(project, async () => {
      const { socket, tokenFile } = meetingPlace(project.env);
      const tries = `
        const { readFileSync } = require("node:fs");
        const said = (code) => console.log(code);
        try { said(readFileSync(${JSON.stringify(tokenFile)}, "utf8")); } catch (error) { said(error.code); }
        require("node:net").connect(${JSON.stringify(socket)}).on("connect", () => { said("connected"); process.exit(); }).on("error", (error) => said(error.code));`;
      const nobody = spawn(node, ["-e", tries], { uid: 65534, gid: 65534, cwd: "/", env: {} });
      let heard = "";
      nobody.stdout.setEncoding("utf8").on("data", (text: string) => {
        heard += text;
      });
      await once(nobody, "close");
      assert.equal(heard, "EACCES\nEACCES\n");
    });
  });

  it("takes over a socket that a killed daemon left", async () => {
    using project = new TemporaryProject();
    const place = meetingPlace(project.env);
    mkdirSync(place.directory, { mode: 0o700 });
    writeFileSync(place.socket, "");
    writeFileSync(place.tokenFile, "old", { mode: 0o600 });
    await withDaemon(project, async () => {
      const client = await DaemonClient.open(place, trustedToken(place) ?? "");
      assert.equal((await client?.ping())?.pid, process.pid);
      client?.close();
    });
  });

  it("does nothing without the token", async () => {
    using project = new TemporaryProject();
    withModules(project);
    const place = meetingPlace(project.env);
    await withDaemon(project, async (daemon) => {
      const wrong = await DaemonClient.open(place, "0".repeat(64));
      const call = { input: "{}", cwd: "/", projectDir: "/", env: {} };
      const never = new AbortController().signal;
      assert.equal(await wrong?.callModule(join(project.dir, "hooks/hello.ts"), call, 1000, never), undefined);
      assert.equal(await wrong?.ping(), undefined);
      wrong?.close();
      const raw = connect(place.socket);
      raw.write("garbage\n");
      const [answer] = await once(raw.setEncoding("utf8"), "data");
      assert.match(answer, /"refused"/);
      assert.equal(daemon.host.size, 0);
    });
  });

  it("stages for those who ask, once for as long as the settings stay, and to the same answer", async () => {
    using project = new TemporaryProject();
    const hooks = ["first", "second"].map((name) => {
      project.write(`${name}.sh`, `#!/bin/sh\necho ${name} >>log\necho ${name}\n`);
      return { command: `./${name}.sh`, reads: [] as string[], writes: ["log"] };
    });
    project.configure("UserPromptSubmit", hooks);
    const alone = await project.answer("UserPromptSubmit");
    await withDaemon(project, async (daemon) => {
      for (let n = 0; n < 3; n++) {
        const { stdout } = await project.answer("UserPromptSubmit", {}, { daemon: "ask" });
        assert.equal(stdout, alone.stdout);
      }
      assert.equal(daemon.stagings.made, 1);
      await project.answer("UserPromptSubmit", {}, { daemon: "ask", serial: true });
      assert.equal(daemon.stagings.made, 1);
      project.configure("UserPromptSubmit", hooks.slice(1));
      await project.answer("UserPromptSubmit", {}, { daemon: "ask" });
      assert.equal(daemon.stagings.made, 2);
      project.configure("UserPromptSubmit", [{ command: "x", background: "wrong" }]);
      const broken = await project.answer("UserPromptSubmit", {}, { daemon: "ask" });
      assert.equal(broken.stdout, (await project.answer("UserPromptSubmit")).stdout);
    });
    assert.equal(project.read("log"), `${"first\nsecond\n".repeat(5)}second\n`);
  });

  it("killed in the middle of a call leaves a failed hook, at once, and the others' answers", async () => {
    using project = new TemporaryProject();
    project.write("hooks/slow.mjs", SLOW);
    project.configure("UserPromptSubmit", [moduleHook("slow.mjs"), { command: "echo beside", ...free }]);
    const daemon = await project.startDaemon();
    const answer = project.answer("UserPromptSubmit", {}, { daemon: "ask" });
    await begun(project);
    daemon.kill("SIGKILL");
    const { exitCode, json } = await answer;
    assert.equal(exitCode, 0);
    assert.equal(json.hookSpecificOutput?.additionalContext, "beside");
    assert.equal(json.systemMessage, "slow exited with code 1: the daemon ended while it ran this hook");
    const after = await project.answer("UserPromptSubmit", {}, { daemon: "ask", signal: AbortSignal.timeout(300) });
    assert.equal(after.exitCode, 0, "without the daemon the hook runs here");
  });

  it("that hangs does not make the caller hang: the event is staged and run without it", async () => {
    using project = new TemporaryProject();
    withModules(project);
    project.configure("UserPromptSubmit", [moduleHook("hello.ts")]);
    const daemon = await project.startDaemon();
    daemon.kill("SIGSTOP");
    const { json } = await project.answer("UserPromptSubmit", { prompt: "x" }, { daemon: "ask" });
    assert.equal(json.hookSpecificOutput?.additionalContext, "hello x 1");
    daemon.kill("SIGKILL");
    await once(daemon, "exit");
  });

  it("that hangs in the middle of a call leaves a timeout", async () => {
    using project = new TemporaryProject();
    project.write("hooks/slow.mjs", SLOW);
    project.configure("UserPromptSubmit", [moduleHook("slow.mjs", { timeout: 1 })]);
    const daemon = await project.startDaemon();
    const answer = project.answer("UserPromptSubmit", {}, { daemon: "ask" });
    await begun(project);
    daemon.kill("SIGSTOP");
    assert.equal((await answer).json.systemMessage, "slow took longer than its 1 s and was ended");
    daemon.kill("SIGKILL");
    await once(daemon, "exit");
  });
});

describe("events over loopback HTTP", () => {
  it("are answered whole, with a block in JSON, for those who know the token", async () => {
    using project = new TemporaryProject();
    withModules(project);
    project.configure("UserPromptSubmit", [moduleHook("hello.ts"), { command: "echo process", ...free }]);
    await withDaemon(project, async (daemon) => {
      const { server, port } = await listenHttp(daemon, 0, { ...project.env, CLAUDE_PROJECT_DIR: "/elsewhere" });
      const post = (
        event: string,
        headers: Record<string, string> = {},
        body: object | string = { prompt: "you", cwd: project.dir },
      ) =>
        fetch(`http://127.0.0.1:${port}/hooks/${event}`, {
          method: "POST",
          headers: { authorization: `Bearer ${daemon.token}`, ...headers },
          body: typeof body === "string" ? body : JSON.stringify(body),
        });
      const answered = await post("UserPromptSubmit");
      // A connection that is kept can be closed under the next event, which would then not be heard.
      assert.equal(answered.headers.get("connection"), "close");
      assert.deepEqual(await answered.json(), {
        hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "hello you 1\nprocess" },
      });
      const below = project.write("deep/down/x", "").replace(/\/x$/, "");
      assert.match(await (await post("UserPromptSubmit", {}, { prompt: "me", cwd: below })).text(), /hello me 2/);
      project.configure("Stop", [moduleHook("block.mjs")]);
      assert.deepEqual(await (await post("Stop")).json(), { decision: "block", reason: "not now" });
      assert.equal((await post("Stop", { authorization: "Bearer wrong" })).status, 401);
      assert.equal((await post("stop")).status, 404);
      const misspelt = await post("PretoolUse");
      assert.equal(misspelt.status, 404);
      assert.match(await misspelt.text(), /nothing ran: .* PretoolUse, .*; did you mean PreToolUse\?/);
      assert.equal((await post("Stop", {}, "no json")).status, 400);
      for (const cwd of ["/nowhere", 5]) assert.equal((await post("Stop", {}, { cwd })).status, 400, "nobody's hooks");
      await assert.rejects(listenHttp(daemon, port, project.env), /another program listens there; leave the port out/);
      server.close();
      server.closeAllConnections();
    });
  });
});

/** Waits until the slow hook is under way. */
async function begun(project: TemporaryProject): Promise<void> {
  for (let i = 0; i < 3000 && !existsSync(join(project.dir, "began")); i++) await sleep(10);
}
