import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setTimeout as pause, setImmediate as turn } from "node:timers/promises";
import { inheritedMark, RUN_MARK } from "./marked-processes.ts";
import { processStart } from "./process-table.ts";
import { type ChildRequest, runChild } from "./run-child.ts";

/** A folder for one test, and shell lines that run in it. */
class Bench {
  readonly folder = mkdtempSync(join(tmpdir(), "coppice child-"));

  run(line: string, changes: Partial<ChildRequest> = {}) {
    return runChild({
      command: { kind: "shell", line },
      cwd: this.folder,
      env: process.env,
      signal: new AbortController().signal,
      ...changes,
    });
  }

  /** The pid that a process of the test wrote, as soon as it has. */
  async pid(name: string): Promise<number> {
    for (;;) {
      try {
        const text = readFileSync(join(this.folder, name), "utf8");
        if (text.endsWith("\n")) return Number(text);
      } catch {}
      await pause(5);
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const text = ({ bytes }: { readonly bytes: Uint8Array }) => Buffer.from(bytes).toString("utf8");
const isAlive = (pid: number) => processStart(pid) !== undefined;

/** As a coordinator that computes something long: nothing of the event loop runs meanwhile. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

describe("a child process", () => {
  it("is given its input, and its output and exit code come back", async () => {
    using bench = new Bench();
    const run = await bench.run("cat; echo problem >&2; exit 3", { input: Buffer.from("ü") });
    assert.deepEqual([text(run.stdout), text(run.stderr)], ["ü", "problem\n"]);
    assert.deepEqual([run.ending, run.exitCode, run.signal], [{ kind: "exited", code: 3 }, 3, null]);
    const killed = await bench.run("kill -9 $$");
    assert.deepEqual([killed.ending, killed.exitCode], [{ kind: "signalled", signal: "SIGKILL" }, null]);
  });

  it("keeps of its output what it may keep, counts the rest and lets a listener hear it all", async () => {
    using bench = new Bench();
    let heard = 0;
    const run = await bench.run("head -c 3000000 /dev/zero", {
      limits: { outputBytes: 1000 },
      hear: (channel, bytes) => {
        assert.equal(channel, "stdout");
        heard += bytes.length;
      },
    });
    assert.deepEqual([run.stdout.bytes.length, run.stdout.totalBytes, heard], [1000, 3_000_000, 3_000_000]);
  });

  it("that cannot be started is said to be so, with the code a shell would give", async () => {
    using bench = new Bench();
    const file = join(bench.folder, "plain.txt");
    writeFileSync(file, "text", { mode: 0o644 });
    const endingOf = async (program: string, args: readonly string[] = []) =>
      (await bench.run("", { command: { kind: "program", file: program, args } })).ending;
    assert.deepEqual(await endingOf("no-such"), { kind: "unstartable", code: 127, reason: "no-such: not found" });
    assert.deepEqual(await endingOf(file), { kind: "unstartable", code: 126, reason: `${file}: not executable` });
    assert.partialDeepStrictEqual(await endingOf("echo", ["x".repeat(1 << 20)]), {
      kind: "unstartable",
      code: 126,
      reason: "echo: too long for an argument",
    });
  });

  const stubborn =
    "trap '' TERM; sh -c 'trap \"\" TERM; echo $$ > grandchild; sleep 600' & setsid sh -c 'echo $$ > escaped; sleep 600' & echo $$ > child; sleep 600";

  for (const mark of [undefined, crypto.randomUUID()]) {
    it(`takes along what ignores the signal and what left its group, ${mark === undefined ? "without" : "with"} a mark`, async () => {
      using bench = new Bench();
      const stop = new AbortController();
      const running = bench.run(stubborn, {
        signal: stop.signal,
        limits: { graceMs: 100 },
        ...(mark !== undefined && { mark, env: { ...process.env, [RUN_MARK]: inheritedMark(mark) } }),
      });
      const pids = await Promise.all(["child", "grandchild", "escaped"].map((name) => bench.pid(name)));
      assert.deepEqual(pids.map(isAlive), [true, true, true]);
      stop.abort("enough");
      const { ending, signal } = await running;
      assert.deepEqual(pids.map(isAlive), [false, false, false]);
      assert.deepEqual([ending, signal], [{ kind: "ended", reason: "enough" }, "SIGKILL"]);
    });
  }

  it("that takes too long is ended, and is not started when it should have ended already", async () => {
    using bench = new Bench();
    const late = await bench.run("echo begun; sleep 600", { timeoutMs: 200 });
    assert.deepEqual([late.ending, late.exitCode, late.signal], [{ kind: "timeout", timeoutMs: 200 }, null, "SIGTERM"]);
    const never = await bench.run("echo begun", { signal: AbortSignal.abort("before") });
    assert.deepEqual([never.ending, text(never.stdout)], [{ kind: "ended", reason: "before" }, ""]);
  });

  it("that ends by itself leaves nothing of its group, and what left the group only where there is no mark", async () => {
    using bench = new Bench();
    const line =
      "sh -c 'echo $$ > member; sleep 600' & setsid sh -c 'echo $$ > escaped; exec sleep 600' & until [ -s member ] && [ -s escaped ]; do sleep 0.01; done";
    const run = await bench.run(line);
    assert.deepEqual([run.ending, run.leftBehind], [{ kind: "exited", code: 0 }, 0]);
    const escaped = await bench.pid("escaped");
    assert.deepEqual([isAlive(await bench.pid("member")), isAlive(escaped)], [false, true]);
    process.kill(escaped, "SIGKILL");
    for (const name of ["member", "escaped"]) rmSync(join(bench.folder, name));
    const mark = crypto.randomUUID();
    const marked = await bench.run(line, { mark, env: { ...process.env, [RUN_MARK]: inheritedMark(mark) } });
    assert.deepEqual([marked.exitCode, marked.leftBehind > 0], [0, true]);
    assert.deepEqual([isAlive(await bench.pid("member")), isAlive(await bench.pid("escaped"))], [false, false]);
  });

  it("loses none of its output when the event loop is blocked right after its end", async () => {
    using bench = new Bench();
    // What it left behind holds the pipe, and says something within the time it is given: while we look away.
    const line = "head -c 150000 /dev/zero; sh -c 'sleep 0.1; echo last; : > said; sleep 600' &";
    let pid = 0;
    const running = bench.run(line, {
      started: (number) => {
        pid = number;
      },
    });
    while (isAlive(pid)) await turn();
    // Its end is noticed now, and its pipes may or may not have been read.
    await turn();
    block(1000);
    while (!existsSync(join(bench.folder, "said"))) block(10);
    const { ending, stdout } = await running;
    assert.deepEqual([ending, stdout.totalBytes], [{ kind: "exited", code: 0 }, 150_005]);
  });

  it("that ended in time has not timed out, and what it said counts, when the event loop was blocked past its limit", async () => {
    using bench = new Bench();
    const deny = '{"hookSpecificOutput":{"permissionDecision":"deny"}}';
    let pid = 0;
    const running = bench.run(`echo '${deny}'; : > said; exit 2`, {
      timeoutMs: 700,
      started: (number) => {
        pid = number;
      },
    });
    // Whatever else happens at its end happens while nobody looks.
    while (!existsSync(join(bench.folder, "said")) || isAlive(pid)) block(5);
    block(1000);
    const { ending, stdout } = await running;
    assert.deepEqual([ending, text(stdout)], [{ kind: "exited", code: 2 }, `${deny}\n`]);
  });

  it("does not wait for ever for what it left behind, though it keeps writing", async () => {
    using bench = new Bench();
    for (const endless of ["yes", "while true; do echo on; sleep 0.005; done"]) {
      const run = await bench.run(`echo mine; (${endless}) & exit 0`);
      assert.deepEqual(run.ending, { kind: "exited", code: 0 });
      assert.ok(text(run.stdout).includes("mine\n"));
    }
  });

  it("is heard until its output ends, if it is to be: what it left behind lives while it holds the pipe, and no longer than the limit", async () => {
    using bench = new Bench();
    const whole = await bench.run(
      "(sleep 0.6; echo late; : > wrote) & sh -c 'echo $$ > idle; exec sleep 600' >idle-out 2>&1 & echo hi; until [ -s idle ]; do sleep 0.01; done",
      {
        untilOutputEnds: true,
      },
    );
    assert.deepEqual([whole.ending, text(whole.stdout)], [{ kind: "exited", code: 0 }, "hi\nlate\n"]);
    assert.ok(existsSync(join(bench.folder, "wrote")));
    assert.equal(isAlive(await bench.pid("idle")), false);
    const stop = new AbortController();
    for (const how of ["time", "signal"]) {
      const running = bench.run(
        "sh -c 'echo $$ > holder; exec sleep 600' & echo hi; until [ -s holder ]; do sleep 0.01; done",
        {
          untilOutputEnds: true,
          signal: stop.signal,
          ...(how === "time" ? { timeoutMs: 1000 } : {}),
        },
      );
      const holder = await bench.pid("holder");
      if (how === "signal") stop.abort("enough");
      const { ending, stdout } = await running;
      assert.equal(ending.kind, how === "time" ? "timeout" : "ended");
      if (how === "time") assert.equal(text(stdout), "hi\n");
      assert.equal(isAlive(holder), false);
      rmSync(join(bench.folder, "holder"));
    }
  });
});
