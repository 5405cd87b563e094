import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { onlyInSoak } from "@coppice/engine/soak";
import { TemporaryProject } from "../../test/temporary-project.ts";
import { HooksDaemon } from "../daemon/daemon.ts";
import { meetingPlace } from "../daemon/meeting-place.ts";
import { ASK_DAEMON } from "./ask-daemon.ts";

const RUN = new URL("../run/run-command.ts", import.meta.url).href;
const NODE = process.execPath;
const EVENT = "UserPromptSubmit";
const curl = spawnSync("curl", ["--version"]).error === undefined && existsSync("/proc/self/environ");
const withCurl = curl ? {} : { skip: "needs curl and /proc" };
const otherUsers = process.getuid?.() === 0 ? withCurl : { skip: "only root can make a file another user's" };

/** A project whose hooks are modules, started as agents start what `install` writes. */
class LaunchedProject extends TemporaryProject {
  readonly #script = this.write(`${this.root}/own/coppice-hooks.sh`, ASK_DAEMON);
  readonly #program = this.write(
    `${this.root}/own/coppice-hooks.mjs`,
    `import { runHooksRun } from "${RUN}"; process.exitCode = await runHooksRun(process.argv.slice(4));`,
  );

  constructor() {
    super();
    this.env.CLAUDE_PROJECT_DIR = this.dir;
    this.env.ODD = "two\nlines=&{}";
    this.write("odd.mjs", "export default (input, { env }) => ({ systemMessage: input.prompt + env.ODD });\n");
    this.module("odd.mjs");
  }

  module(...paths: readonly string[]): void {
    this.configure(
      EVENT,
      paths.map((path) => ({ command: `node ${path}`, module: path, reads: [], writes: [] })),
    );
  }

  /** With `node` that cannot be started, only the daemon can have answered. */
  launch(node: string, prompt = "p", env: NodeJS.ProcessEnv = {}, stdout: "pipe" | number = "pipe"): ChildProcess {
    const child = spawn("sh", [this.#script, node, this.#program, "hooks", "run", EVENT], {
      cwd: this.dir,
      env: { ...this.env, ...env },
      stdio: ["pipe", stdout, "pipe"],
    });
    // Without a newline at its end, which must not grow one on the way.
    child.stdin?.on("error", () => {}).end(JSON.stringify({ session_id: "s", cwd: this.dir, prompt }));
    return child;
  }

  async launched(...args: Parameters<LaunchedProject["launch"]>) {
    const child = this.launch(...args);
    const said = [child.stdout, child.stderr].map((stream) => (stream === null ? "" : text(stream)));
    const [code] = await once(child, "close");
    return { code: code as unknown, stdout: await said[0], stderr: await said[1] };
  }

  get mark(): string {
    return join(meetingPlace(this.env).launcher.wholeEvents, this.dir, EVENT);
  }

  /** Has the daemon learn that it can answer the event, as the first one that Node asks about does. */
  async learned(): Promise<void> {
    await this.answer(EVENT, {}, { daemon: "ask", project: undefined });
    await until(() => existsSync(this.mark));
  }
}

async function until(isSo: () => boolean): Promise<void> {
  for (let i = 0; i < 3000 && !isSo(); i++) await sleep(10);
  assert.ok(isSo());
}

const SLOW = `import { writeFileSync } from "node:fs";
export default (input, { cwd }) => { writeFileSync(cwd + "/began", ""); return new Promise((r) => setTimeout(r, 60000)); };`;

describe("a launcher that asks the daemon", withCurl, () => {
  it("says what Node would, with its exit code, and starts none", async () => {
    using project = new LaunchedProject();
    project.write("says.mjs", "export default (input) => 'über ' + input.prompt;\n");
    project.write(
      "block.mjs",
      "export default () => { throw Object.assign(new Error('not\\n\\nnow \\\\n %s'), { exitCode: 2 }); };\n",
    );
    project.write("stop.mjs", "export default () => ({ continue: false });\n");
    const daemon = await HooksDaemon.start(meetingPlace(project.env));
    for (const hooks of [["odd.mjs"], ["says.mjs", "odd.mjs"], ["block.mjs"], ["stop.mjs", "block.mjs"], []]) {
      project.module(...hooks);
      if (hooks.length === 1) await project.learned();
      for (const prompt of ["p", "\\t 'q' \"$(id)` & \u0001".repeat(3000)]) {
        const { exitCode, stdout, stderr } = await project.answer(EVENT, { prompt });
        const quick = await project.launched("/nowhere/node", prompt);
        assert.deepEqual(quick, { code: exitCode, stdout, stderr }, hooks.join());
      }
    }
    // What holds the agent back does so even if it cannot be said.
    project.module("stop.mjs");
    const full = openSync("/dev/full", "w");
    assert.equal((await project.launched("/nowhere/node", "p", {}, full)).code, 2);
    project.module("odd.mjs");
    assert.equal((await project.launched("/nowhere/node", "p", {}, full)).code, 1);
    await daemon.close();
  });

  it("leaves it to Node where daemon, curl or the daemon's word are missing, and keeps every byte", async () => {
    using project = new LaunchedProject();
    const sees = async (env: NodeJS.ProcessEnv = {}) => (await project.launched(NODE, "p", env)).stdout;
    const right = '{"systemMessage":"ptwo\\nlines=&{}"}\n';
    assert.equal(await sees(), right, "no daemon");
    const killed = await project.startDaemon();
    await project.learned();
    const tools = `${project.root}/tools`;
    mkdirSync(tools);
    for (const tool of ["cat", "sh"]) symlinkSync(`/bin/${tool}`, join(tools, tool));
    assert.equal((await project.launched("/nowhere/node", "p", { PATH: tools })).code, 127, "it was not even asked");
    assert.equal(await sees({ PATH: tools }), right, "no curl");
    assert.equal(await sees({ CLAUDE_PROJECT_DIR: undefined }), right, "no project");
    killed.kill("SIGKILL");
    await once(killed, "exit");
    assert.ok(existsSync(project.mark));
    assert.equal(await sees(), right, "a socket that nobody listens on");

    const daemon = await HooksDaemon.start(meetingPlace(project.env));
    assert.ok(!existsSync(project.mark), "of another daemon");
    await project.learned();
    project.configure(EVENT, [{ command: "cat >&2; exit 2", reads: [], writes: [] }]);
    const { code, stderr } = await project.launched(NODE);
    assert.deepEqual([code, stderr], [2, `${JSON.stringify({ session_id: "s", cwd: project.dir, prompt: "p" })}\n`]);
    assert.ok(!existsSync(project.mark), "a process is needed now, and nobody asks in vain again");
    await daemon.close();
  });

  it("says which hooks were lost when the daemon is killed in the middle of them", async () => {
    using project = new LaunchedProject();
    const daemon = await project.startDaemon();
    await project.learned();
    project.write("slow.mjs", SLOW);
    project.module("odd.mjs", "slow.mjs");
    const answer = project.launched(NODE);
    await until(() => existsSync(join(project.dir, "began")));
    daemon.kill("SIGKILL");
    const { code, stdout } = await answer;
    assert.equal(code, 0);
    assert.match(JSON.parse(stdout).systemMessage, /slow exited with code 1: the daemon ended while it ran this hook/);
  });

  it("shows the token to nobody, and lets go of the event when it is ended itself", async () => {
    using project = new LaunchedProject();
    const daemon = await HooksDaemon.start(meetingPlace(project.env));
    await project.learned();
    project.write("slow.mjs", SLOW);
    project.module("slow.mjs");
    const child = project.launch("/nowhere/node");
    await until(() => existsSync(join(project.dir, "began")));
    const { curlFile } = meetingPlace(project.env).launcher;
    const asking = () => commandLines().filter((line) => line.includes(curlFile));
    assert.equal(asking().length, 1);
    assert.ok(!commandLines().some((line) => line.includes(daemon.token)));
    child.kill("SIGTERM");
    await until(() => asking().length === 0);
    await daemon.close();
  });

  it("does not give up a daemon that takes its time, but one that hangs", onlyInSoak(), async () => {
    using project = new LaunchedProject();
    const daemon = await project.startDaemon();
    await project.learned();
    project.write("late.mjs", "export default () => new Promise((r) => setTimeout(r, 7000, 'late'));\n");
    project.module("late.mjs");
    assert.match((await project.launched("/nowhere/node")).stdout, /"late"/);
    project.module("odd.mjs");
    daemon.kill("SIGSTOP");
    assert.match((await project.launched(NODE)).stdout, /two/);
    daemon.kill("SIGKILL");
    await once(daemon, "exit");
  });

  it("trusts no place of another user", otherUsers, async () => {
    using project = new LaunchedProject();
    const daemon = await HooksDaemon.start(meetingPlace(project.env));
    await project.learned();
    const { directory, launcher } = meetingPlace(project.env);
    for (const path of [directory, launcher.curlFile]) {
      chownSync(path, 12345, 12345);
      assert.equal((await project.launched("/nowhere/node")).code, 127, path);
      chownSync(path, 0, 0);
    }
    assert.equal((await project.launched("/nowhere/node")).code, 0);
    await daemon.close();
  });
});

/** What every user can see of all processes. */
function commandLines(): readonly string[] {
  return readdirSync("/proc").flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) ? [readFileSync(`/proc/${pid}/cmdline`, "utf8")] : [];
    } catch {
      return [];
    }
  });
}
