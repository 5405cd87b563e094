import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { SIMULATED_START, simulateRun } from "../../test/simulated-run.ts";
import { PlainLines } from "./plain-lines.ts";

describe("plain lines", () => {
  it("say how the run started, what failed and how it ended", async () => {
    const lines: string[] = [];
    const reader = new PlainLines({ write: (line) => lines.push(line) });
    const failures = (ask: number) => (ask === 1 ? 1 : 0);
    const best = (told: number) => 8 / told;
    const levels = (told: number) => [{ name: "Tasks", done: told, total: 4 }];
    for (const event of simulateRun({ tasks: 4, workers: 1, taskMs: () => 250, failures, best, levels }))
      reader.see(event);
    await reader.close();
    assert.deepEqual(lines, [
      "run 17: 1 worker (threads), seed 42, lookahead 64",
      "task 1 failed (attempt 1, worker 0, after 250 ms): RangeError: no rate fits <volume 1> & more, will be tried again",
      "4/4 tasks · best 2 · 1 retried · in 1.30 s",
      "Tasks: 4/4 (100.0%) | Overall: 100.0% | Elapsed: 1s",
      "done after 4 tells, reproducible from its seed",
      "digest 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    ]);
  });

  it("show the beginning of a message that is very long, and say where the rest is", () => {
    const lines: string[] = [];
    const reader = new PlainLines({ write: (line) => lines.push(line) });
    const message = "x".repeat(65_536);
    for (const event of simulateRun({ tasks: 1, workers: 1, taskMs: () => 1, failures: () => 1 })) {
      reader.see(event.type === "failed" ? { ...event, failure: { ...event.failure, message } } : event);
    }
    const [failed] = lines.filter((line) => line.includes("xxx"));
    assert.ok(failed.length < 1200, String(failed.length));
    assert.match(failed, /x … \(65,536 characters: all that was kept is in the run's journal\)/);
  });

  it("say how a worker ended, unless it was stopped at a time limit", () => {
    const lines: string[] = [];
    const reader = new PlainLines({ write: (line) => lines.push(line) });
    for (const [type, timedOut] of [["Timeout", true] as const, ["WorkerLost", false] as const]) {
      const detail = { timedOut, workerLost: !timedOut, exitCode: 1 };
      const attempt = { ask: 1, key: "a", worker: 0, elapsedMs: 250, attempt: 0, willRetry: false };
      reader.see({ type: "failed", at: SIMULATED_START, ...attempt, failure: { type, message: "gone" }, detail });
    }
    assert.deepEqual(lines, [
      "task 1 failed (attempt 1, worker 0, after 250 ms): Timeout: gone",
      "task 1 failed (attempt 1, worker 0, after 250 ms, exit code 1): WorkerLost: gone",
    ]);
  });

  it("say what a resumed run reuses before anything runs, and why a run is only repeatable from its journal", async () => {
    const lines: string[] = [];
    const reader = new PlainLines({ write: (line) => lines.push(line) });
    const at = SIMULATED_START;
    reader.see({ type: "resumed", at, plan: { reused: 1204, rerun: 1, reasons: ["the coordinator was killed"] } });
    reader.see({ type: "requeued", at, ask: 1204, reason: "the process ended with exit code 3" });
    reader.see({
      type: "finished",
      at,
      end: {
        state: "done",
        digest: "ab",
        tells: 1300,
        reproducible: { from: "journal", reason: "a task timed out", tell: 1250 },
      },
    });
    await reader.close();
    assert.deepEqual(lines, [
      "resumed: 1,204 outcomes reused from the journal, 1 task to run again (the coordinator was killed)",
      "task 1204 requeued: the process ended with exit code 3",
      "done after 1,300 tells, reproducible from its journal, not from its seed: a task timed out at tell 1250",
      "digest ab",
    ]);
  });

  it("come every now and then while the run goes on, with its rate and estimate", async () => {
    const lines: string[] = [];
    const until = SIMULATED_START + 10_000;
    const reader = new PlainLines({ write: (line) => lines.push(line), everyMs: 5, now: () => until });
    for (const event of simulateRun({ tasks: 400, workers: 2, taskMs: () => 100 }))
      if (event.at <= until) reader.see(event);
    while (lines.length < 3) await sleep(2);
    await reader.close();
    assert.match(lines[2], /^198\/262 tasks \(75\.6%\) · 20\.0\/s · elapsed 10s · ETA 4s$/);
    const count = lines.length;
    await sleep(20);
    assert.equal(lines.length, count);
  });

  it("stop listing failures after twenty", async () => {
    const lines: string[] = [];
    const reader = new PlainLines({ write: (line) => lines.push(line) });
    const run = { tasks: 100, workers: 1, taskMs: () => 1, failures: () => Number.POSITIVE_INFINITY };
    for (const event of simulateRun(run)) reader.see(event);
    await reader.close();
    assert.equal(lines.filter((line) => line.startsWith("task ")).length, 20);
    assert.ok(lines.some((line) => line.includes("100 failed")));
  });
});
