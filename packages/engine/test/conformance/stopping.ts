import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { processStart } from "../../src/child-process/process-table.ts";
import { itNeeds, type Subject } from "./clause.ts";
import { eventually, Trial } from "./trial.ts";

/** Limits and aborts: the work really ends, and nothing else does. */
export function stopping(subject: Subject): void {
  const { makeFactory } = subject;

  it("times out a task that waits for ever, with a message that depends on the limit alone", async () => {
    await using trial = new Trial(makeFactory, { workers: 1, chunk: 1 });
    trial.submit(0, { do: "hang" }, { timeoutMs: 120 });
    const [result] = await trial.settled(0);
    assert.ok(!result.ok);
    assert.deepEqual(result.failure, { type: "Timeout", message: "no result within 120 ms" });
    assert.deepEqual([result.detail.timedOut, result.detail.workerLost], [true, false]);
    assert.ok(result.elapsedMs >= 119, `${result.elapsedMs} ms`);
  });

  it("counts a value that came after the limit as timed out", async () => {
    await using trial = new Trial(makeFactory, { workers: 1, chunk: 1 });
    trial.submit(0, { do: "burn", ms: 90, value: "late" }, { timeoutMs: 40 });
    const [result] = await trial.settled(0);
    assert.deepEqual(!result.ok && result.failure, { type: "Timeout", message: "no result within 40 ms" });
  });

  it("does not count the time a task waited for its turn", async () => {
    await using trial = new Trial(makeFactory, { workers: 1, chunk: 4 });
    for (const id of [0, 1, 2, 3]) trial.submit(id, { do: "sleep", ms: 150, value: id }, { timeoutMs: 400 });
    assert.deepEqual(await trial.values(0, 1, 2, 3), [0, 1, 2, 3]);
  });

  it("replaces the worker of a timed-out task, and runs its chunk-mates again for free", async () => {
    await using trial = new Trial(makeFactory, { workers: 1, chunk: 8 });
    for (const id of [0, 1, 3, 4]) trial.submit(id, { do: "return", value: id }, { timeoutMs: 5000 });
    trial.submit(2, { do: "hang" }, { timeoutMs: 100 });
    const [, , timedOut] = await trial.settled(0, 1, 2, 3, 4);
    assert.equal(!timedOut.ok && timedOut.failure.type, "Timeout");
    assert.deepEqual(await trial.values(0, 1, 3, 4), [0, 1, 3, 4]);
    assert.ok(trial.requeued.every(({ id, loss }) => id !== 2 && loss === 0));
    assert.deepEqual(
      trial.workers.map(({ state }) => state),
      ["ready", "ended", "ready"],
    );
    assert.match(trial.workers[1].reason ?? "", /time limit/);
  });

  itNeeds(subject, ["stops a busy loop"], "stops a busy loop at its limit, and blames no chunk-mate", async () => {
    // On a busy machine the loop may not have begun within a short limit: then a longer one tells.
    for (const timeoutMs of [200, 2_000, 20_000]) {
      await using trial = new Trial(makeFactory, { workers: 1, chunk: 4 });
      trial.submit(0, { do: "return", value: 0 });
      trial.submit(1, { do: "spin", file: "beats" }, { timeoutMs });
      trial.submit(2, { do: "return", value: 2 }, { timeoutMs: 60_000 });
      const [, result] = await trial.settled(0, 1, 2);
      assert.deepEqual(!result.ok && result.failure, { type: "Timeout", message: `no result within ${timeoutMs} ms` });
      assert.deepEqual(await trial.values(0, 2), [0, 2]);
      const beats = (): number => statSync(join(trial.directory, "beats"), { throwIfNoEntry: false })?.size ?? 0;
      const before = beats();
      if (before === 0 && timeoutMs < 20_000) continue;
      assert.ok(before > 0);
      await sleep(150);
      assert.equal(beats(), before, "the loop is still running");
      return;
    }
  });

  itNeeds(
    subject,
    ["stops a busy loop", "ends the programs a stopped task started"],
    "ends what a stopped task had started, even what left its process group",
    async () => {
      await using trial = new Trial(makeFactory, { workers: 1 });
      trial.submit(0, { do: "spin", file: "tree", children: true }, { timeoutMs: 1500 });
      await trial.settled(0);
      const pids = readFileSync(join(trial.directory, "tree.pids"), "utf8").split(" ").map(Number);
      assert.equal(pids.length, 2);
      await eventually("the programs are gone", () => pids.every((pid) => processStart(pid) === undefined));
    },
  );

  it("tells a task by its signal that its time is up", async () => {
    await using trial = new Trial(makeFactory, { workers: 1, graceMs: 60_000 });
    trial.submit(0, { do: "heed" }, { timeoutMs: 100 });
    const [result] = await trial.settled(0);
    assert.equal(!result.ok && result.failure.type, "Timeout");
    await trial.until("the worker is replaced all the same", () => trial.workers.length === 3);
  });

  it("forgets an aborted task that was still waiting", async () => {
    await using trial = new Trial(makeFactory, { workers: 1, chunk: 1 });
    trial.submit(0, { do: "sleep", ms: 100, value: "ran" });
    trial.submit(1, { do: "return", value: 1 });
    trial.abort(1);
    trial.abort(1);
    trial.abort(99);
    await trial.until("task 1 is gone", () => trial.aborted.includes(1));
    assert.deepEqual(await trial.values(0), ["ran"]);
    assert.ok(trial.started.every(({ ids }) => !ids.includes(1)));
    assert.deepEqual(trial.aborted, [1]);
    assert.ok(!trial.results.has(1));
  });

  it("lets a running task end itself when it heeds the abort, and keeps the worker", async () => {
    await using trial = new Trial(makeFactory, { workers: 1, graceMs: 60_000 });
    trial.submit(0, { do: "heed" });
    await trial.until("task 0 runs", () => trial.started.length === 1);
    trial.abort(0);
    await trial.until("task 0 is gone", () => trial.aborted.includes(0));
    trial.submit(1, { do: "return", value: 1 });
    assert.deepEqual(await trial.values(1), [1]);
    assert.deepEqual(
      trial.workers.map(({ state }) => state),
      ["ready"],
    );
    assert.ok(!trial.results.has(0));
  });

  it("settles the value of an aborted task that came all the same", async () => {
    await using trial = new Trial(makeFactory, { workers: 1, graceMs: 60_000 });
    trial.submit(0, { do: "heed", value: "paid for" });
    await trial.until("task 0 runs", () => trial.started.length === 1);
    await sleep(50);
    trial.abort(0);
    assert.deepEqual(await trial.values(0), ["paid for"]);
    await sleep(50);
    assert.deepEqual(trial.aborted, []);
  });

  it("stops a running task that does not heed the abort, and runs its chunk-mates again for free", async () => {
    await using trial = new Trial(makeFactory, { workers: 1, chunk: 3 });
    trial.submit(0, { do: "hang" });
    trial.submit(1, { do: "return", value: 1 });
    trial.submit(2, { do: "return", value: 2 });
    await trial.until("the chunk is handed out", () => trial.started.length === 1);
    trial.abort(0);
    await trial.until("task 0 is gone", () => trial.aborted.includes(0));
    assert.deepEqual(await trial.values(1, 2), [1, 2]);
    assert.ok(trial.requeued.every(({ loss }) => loss === 0));
    assert.ok(!trial.results.has(0));
  });

  itNeeds(subject, ["stops a busy loop"], "stops an aborted busy loop", async () => {
    await using trial = new Trial(makeFactory, { workers: 1, chunk: 1 });
    trial.submit(0, { do: "spin", file: "beats" });
    await trial.until("the loop runs", () => trial.trace("beats").length > 0);
    trial.abort(0);
    await trial.until("task 0 is gone", () => trial.aborted.includes(0));
    trial.submit(1, { do: "return", value: 1 });
    assert.deepEqual(await trial.values(1), [1]);
  });

  it("skips an aborted task that a worker has but has not begun", async () => {
    await using trial = new Trial(makeFactory, { workers: 1, chunk: 3 });
    trial.submit(0, { do: "sleep", ms: 200, value: 0 });
    trial.submit(1, { do: "die", how: "exit" });
    trial.submit(2, { do: "return", value: 2 });
    await trial.until("the chunk is handed out", () => trial.started.length === 1);
    trial.abort(1);
    assert.deepEqual(await trial.values(0, 2), [0, 2]);
    await trial.until("task 1 is gone", () => trial.aborted.includes(1));
    assert.deepEqual(trial.requeued, []);
  });

  it("aborts everything it has", async () => {
    await using trial = new Trial(makeFactory, { workers: 2 });
    const ids = Array.from({ length: 20 }, (_, i) => i);
    for (const id of ids) trial.submit(id, { do: "hang" });
    await trial.until("some run", () => trial.started.length > 0);
    for (const id of ids) trial.abort(id);
    await trial.until("all are gone", () => trial.aborted.length === ids.length);
    assert.equal(trial.results.size, 0);
    trial.submit(20, { do: "return", value: "still here" });
    assert.deepEqual(await trial.values(20), ["still here"]);
  });
}
