import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { SIMULATED_START, simulateRun } from "../../test/simulated-run.ts";
import type { RunEvent } from "../contract/event.ts";
import { RunLogs } from "./run-logs.ts";

describe("a run's logs", () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "coppice-logs-"));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const write = async (events: Iterable<RunEvent>) => {
    const logs = new RunLogs(directory);
    for (const event of events) logs.see(event);
    await logs.close();
  };
  const lines = (name: string): Record<string, unknown>[] =>
    readFileSync(join(directory, "logs", name), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));

  it("have the whole story in one file, which sums up every worker and names its log", async () => {
    const failures = (ask: number) => (ask === 4 ? 1 : 0);
    await write(
      simulateRun({ tasks: 20, workers: 3, taskMs: () => 100, failures, best: (told) => -told, timers: true }),
    );
    const run = lines("run.log");
    assert.equal(run[0].event, "run-started");
    assert.equal(run[0].seed, 42);
    assert.equal(run.at(-1)?.event, "finished");
    assert.equal(run.filter(({ event }) => event === "failed").length, 1);
    const summaries = run.filter(({ event }) => event === "worker-summary");
    assert.deepEqual(
      summaries.map(({ worker, log }) => [worker, log]),
      [0, 1, 2].map((worker) => [worker, `worker-${worker}.log`]),
    );
    assert.equal(
      summaries.reduce((sum, { done }) => sum + Number(done), 0),
      20,
    );
    assert.ok(summaries.every(({ timers }) => Object.hasOwn(Object(timers), "plan.rates")));
    assert.deepEqual(readdirSync(join(directory, "logs")).sort(), [
      "run.log",
      "worker-0.log",
      "worker-1.log",
      "worker-2.log",
    ]);
  });

  it("keep what each worker said, and the stack of what failed there, in the worker's own file", async () => {
    await write([
      { type: "log", at: SIMULATED_START, worker: 1, line: "reading 40 volumes" },
      {
        type: "failed",
        at: SIMULATED_START + 5,
        ask: 0,
        key: "a",
        worker: 1,
        elapsedMs: 5,
        attempt: 0,
        willRetry: false,
        failure: { type: "TypeError", message: "no such volume" },
        detail: { timedOut: false, workerLost: false, stack: "TypeError: no such volume\n    at evaluate" },
      },
    ]);
    const [said, failed] = lines("worker-1.log");
    assert.equal(said.msg, "reading 40 volumes");
    assert.match(JSON.stringify(failed.detail), /at evaluate/);
    assert.deepEqual(readdirSync(join(directory, "logs")).sort(), ["run.log", "worker-1.log"]);
  });

  it("go on where they stopped when the run is resumed", async () => {
    await write(simulateRun({ tasks: 2, workers: 1, taskMs: () => 10 }));
    const before = lines("run.log").length;
    await write(simulateRun({ tasks: 2, workers: 1, taskMs: () => 10 }));
    assert.equal(lines("run.log").length, 2 * before);
  });

  const follow = async () => {
    const logs = new RunLogs(directory);
    for (const event of simulateRun({ tasks: 3, workers: 1, taskMs: () => 10 })) logs.see(event);
    await sleep(5);
    for (const event of simulateRun({ tasks: 300, workers: 1, taskMs: () => 10 })) logs.see(event);
    await logs.close();
  };

  it("do not disturb a run when their directory cannot be made", async () => {
    writeFileSync(join(directory, "logs"), "a file is in the way");
    await follow();
  });

  it("do not disturb a run when the disk is full", {
    skip: !existsSync("/dev/full") && "no /dev/full here",
  }, async () => {
    mkdirSync(join(directory, "logs"));
    for (const name of ["run.log", "worker-0.log"]) symlinkSync("/dev/full", join(directory, "logs", name));
    await follow();
  });
});
