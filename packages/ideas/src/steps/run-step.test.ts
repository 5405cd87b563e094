import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { isAlive, until } from "../../test/small-run.ts";
import { Belongings } from "../belongings/belongings.ts";
import { runStep, type StepRequest } from "./run-step.ts";

/** A folder for one test, and steps that run in it. */
class Bench {
  readonly folder = mkdtempSync(join(tmpdir(), "coppice step-"));
  readonly belongings = new Belongings(this.folder);
  readonly log = join(this.folder, "logs/step.log");

  run(line: string, changes: Partial<StepRequest> = {}) {
    return runStep({
      label: "implement",
      command: { file: "/bin/sh", args: ["-c", line] },
      directory: this.folder,
      environment: {},
      logPath: this.log,
      signal: new AbortController().signal,
      belongings: this.belongings,
      owner: "e0001",
      ...changes,
    });
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), "utf8");
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

test("a step's output is in its log by channel, with a header and a trailer, attempts one after the other", async () => {
  using bench = new Bench();
  const outcome = await bench.run("echo one; echo two >&2; printf three; exit 3");
  assert.deepEqual([outcome.exitCode, outcome.stdout, outcome.wasEnded], [3, "one\nthree", false]);
  await bench.run("echo again");
  const lines = bench.read("logs/step.log").split("\n");
  assert.match(lines[0], /^\[start\] \{"at":".*"step":"implement","directory":".*","command":\["\/bin\/sh"/);
  for (const line of ["[stdout] one", "[stderr] two", "[stdout] three", "[stdout] again"])
    assert.ok(lines.includes(line));
  assert.equal(lines.filter((line) => line.startsWith("[exit] ")).length, 2);
  assert.match(lines.find((line) => line.startsWith("[exit]")) ?? "", /"exitCode":3/);
});

test("T-20: a step gets variables and a folder of its own; this process keeps its own", async () => {
  using bench = new Bench();
  const before = [process.cwd(), JSON.stringify(process.env)];
  const outcome = await bench.run('echo "$MINE $PWD"', { environment: { MINE: "yes" } });
  assert.equal(outcome.stdout, `yes ${bench.folder}\n`);
  assert.deepEqual([process.cwd(), JSON.stringify(process.env)], before);
});

test("a step that prints far more than its log holds fills neither memory nor disk; its last words are kept", async () => {
  using bench = new Bench();
  const outcome = await bench.run("head -c 40000000 /dev/zero | tr '\\0' 'a' | fold -w 100; echo; echo the end");
  assert.equal(outcome.exitCode, 0);
  assert.equal(outcome.tail.at(-1), "the end");
  assert.ok(outcome.stdout.length <= 1024 * 1024);
  assert.ok(statSync(bench.log).size < 10 * 1024 * 1024);
  assert.match(bench.read("logs/step.log"), /\[left out\] \d+ bytes/);
});

test("one line of any length is no trouble either", async () => {
  using bench = new Bench();
  const outcome = await bench.run("head -c 20000000 /dev/zero | tr '\\0' 'a'");
  assert.equal(outcome.exitCode, 0);
  assert.ok(statSync(bench.log).size < 20 * 1024 * 1024);
});

test("T-27, B12: the whole tree of a step is gone soon after its signal, also what ignores it and what left its group", async () => {
  using bench = new Bench();
  const stop = new AbortController();
  const running = bench.run(
    "trap '' TERM; sh -c 'trap \"\" TERM; echo $$ > grandchild; sleep 600' & setsid sh -c 'echo $$ > escaped; sleep 600' & echo $$ > child; sleep 600",
    { signal: stop.signal },
  );
  const names = ["child", "grandchild", "escaped"];
  const written = () =>
    names.every((name) => {
      try {
        return bench.read(name).endsWith("\n");
      } catch {
        return false;
      }
    });
  assert.ok(await until(written, 60_000));
  const pids = names.map((name) => Number(bench.read(name)));
  assert.deepEqual(pids.map(isAlive), [true, true, true]);
  const began = performance.now();
  stop.abort();
  const outcome = await running;
  assert.deepEqual(pids.map(isAlive), [false, false, false]);
  // Five seconds are promised; a busy machine may take its time.
  assert.ok(performance.now() - began < 30_000, "it took much longer than five seconds");
  assert.equal(outcome.wasEnded, true);
});

test("what a step leaves running in the background is ended with it, and counted", async () => {
  using bench = new Bench();
  const outcome = await bench.run("setsid sh -c 'echo $$ > left; sleep 600' & until [ -s left ]; do sleep 0.01; done");
  assert.deepEqual([outcome.exitCode, outcome.leftBehind > 0], [0, true]);
  assert.equal(isAlive(Number(bench.read("left"))), false);
});

test("exit code 124 of a step is its own affair, not a time limit", async () => {
  using bench = new Bench();
  const outcome = await bench.run("exit 124");
  assert.deepEqual([outcome.exitCode, outcome.wasEnded], [124, false]);
});

test("a signal that ends a step is named", async () => {
  using bench = new Bench();
  const outcome = await bench.run("kill -9 $$");
  assert.deepEqual([outcome.exitCode, outcome.signal], [null, "SIGKILL"]);
});

test("a program that is not there or not executable is said to be so", async () => {
  using bench = new Bench();
  const gone = await bench.run("", { command: { file: "no-such-program", args: [] } });
  assert.equal(gone.unstartable, "command not found: no-such-program");
  const file = join(bench.folder, "plain.txt");
  writeFileSync(file, "text", { mode: 0o644 });
  const plain = await bench.run("", { command: { file, args: [] } });
  assert.equal(plain.unstartable, `not executable: ${file}`);
  assert.deepEqual(bench.belongings.list(), []);
});

test("T-12: while a step runs, its pid and start time are on record; afterwards they are not", async () => {
  using bench = new Bench();
  const stop = new AbortController();
  const running = bench.run("echo $$ > pid; sleep 600", { signal: stop.signal });
  assert.ok(await until(() => bench.belongings.list().some(({ thing }) => thing.kind === "process" && thing.pid > 0)));
  const [{ thing, owner }] = bench.belongings.list();
  assert.ok(thing.kind === "process");
  assert.equal(owner, "e0001");
  assert.notEqual(thing.pidStart, "");
  assert.ok(isAlive(thing.pid));
  stop.abort();
  await running;
  assert.deepEqual(bench.belongings.list(), []);
});
