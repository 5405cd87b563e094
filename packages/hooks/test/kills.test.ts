import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { random } from "@coppice/engine";
import { soak } from "@coppice/engine/soak";
import { TemporaryProject } from "./temporary-project.ts";

const KILLS = soak(3, 100);
const RUN = new URL("../src/run/run-command.ts", import.meta.url).href;

const free = { reads: [], writes: [] };

/** Hooks that count, read the count, and one that is a module. */
class CountingProject extends TemporaryProject {
  constructor() {
    super();
    this.write("hello.mjs", "export default () => 'module';\n");
    const count = "#!/bin/sh\nread n <n\nsleep 0.02\necho $((n + 1)) >n.$$\nmv n.$$ n\n";
    this.write("count.sh", count);
    this.write("n", "0\n");
    this.configure("UserPromptSubmit", [
      { command: "./count.sh", reads: ["n"], writes: ["n", "n.*"] },
      { command: "cat n", reads: ["n"], writes: [] },
      { command: "node hello.mjs", module: "hello.mjs", ...free },
    ]);
  }

  program(code: string): ChildProcess {
    const args = ["--input-type=module", "-e", code];
    return spawn(process.execPath, args, { cwd: this.dir, env: this.env, stdio: ["pipe", "pipe", "ignore"] });
  }

  run(): ChildProcess {
    const child = this.program(
      `import { runHooksRun } from "${RUN}"; process.exitCode = await runHooksRun(["UserPromptSubmit", "--project", ${JSON.stringify(this.dir)}]);`,
    );
    child.stdin?.on("error", () => {}).end(JSON.stringify({ session_id: "s", cwd: this.dir, prompt: "p" }));
    return child;
  }
}

async function outputOf(child: ChildProcess): Promise<{ code: unknown; stdout: string }> {
  let stdout = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  const [code] = await once(child, "close");
  return { code, stdout };
}

describe(`after ${KILLS} kills at random moments`, () => {
  it("of runs, the next event has its lock, its whole count and its whole answer", async () => {
    using project = new CountingProject();
    const chance = random(20).at("kills");
    for (let kill = 0; kill < KILLS; kill++) {
      const victim = project.run();
      const gone = once(victim, "exit");
      await sleep(chance.integer(50, 600));
      victim.kill("SIGKILL");
      await gone;
    }
    // Hooks of a killed run may finish by themselves; the count is whole at any moment, and so is what is read of it.
    const { code, stdout } = await outputOf(project.run());
    assert.equal(code, 0);
    const said = JSON.parse(stdout);
    assert.match(said.hookSpecificOutput.additionalContext, /^[1-9]\d*\nmodule$/);
    assert.equal(said.systemMessage, undefined, "no lock was left");
  });

  it("of the daemon, an event has its whole answer, or says that the daemon ended", async () => {
    using project = new CountingProject();
    const chance = random(21).at("kills");
    for (let kill = 0; kill < KILLS; kill++) {
      const daemon = await project.startDaemon();
      const answer = outputOf(project.run());
      await sleep(chance.integer(0, 500));
      daemon.kill("SIGKILL");
      const { code, stdout } = await answer;
      const { hookSpecificOutput, systemMessage = "" } = JSON.parse(stdout);
      assert.equal(code, 0);
      const count = `${kill + 1}`;
      const whole = hookSpecificOutput.additionalContext === `${count}\nmodule` && systemMessage === "";
      const told = hookSpecificOutput.additionalContext === count && /the daemon ended/.test(systemMessage);
      assert.ok(whole || told, stdout);
    }
  });
});
