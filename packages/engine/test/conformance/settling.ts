import assert from "node:assert/strict";
import { it } from "node:test";
import { taskSeed } from "../../src/random/task-seed.ts";
import { soak } from "../soak.ts";
import { itNeeds, type Subject } from "./clause.ts";
import { Trial } from "./trial.ts";

const CHUNKS = (["auto", 3, 1, 16, 2, 5, 8, 12] as const).slice(0, soak(2, 8));

/** Tasks go in, results come out: order, chunks, back-pressure, what an evaluation is given. */
export function settling(subject: Subject): void {
  const { makeFactory } = subject;

  it("settles every task once, with its own value, whatever the chunk", async () => {
    for (const chunk of CHUNKS) {
      await using trial = new Trial(makeFactory, { workers: 1, chunk, maxInFlight: 100 });
      const ids = Array.from({ length: 100 }, (_, i) => i);
      for (const id of ids) trial.submit(id, { do: "return", value: { id, chunk } });
      assert.deepEqual(
        await trial.values(...ids),
        ids.map((id) => ({ id, chunk })),
      );
      const most = Math.max(...trial.started.map((handed) => handed.ids.length));
      assert.ok(most <= (chunk === "auto" ? 16 : chunk), `${most} tasks in one message, chunk ${chunk}`);
      await trial.close();
    }
  });

  itNeeds(subject, ["puts small tasks together"], "puts small tasks together when it may choose", async () => {
    await using trial = new Trial(makeFactory, { workers: 1, maxInFlight: 400 });
    const ids = Array.from({ length: 400 }, (_, i) => i);
    for (const id of ids) trial.submit(id, { do: "return", value: id });
    await trial.settled(...ids);
    assert.ok(trial.started.some((handed) => handed.ids.length > 1));
    assert.ok(trial.started.length < 400);
  });

  itNeeds(subject, ["runs several tasks at once"], "divides a short queue between its free workers", async () => {
    // On a busy machine a worker elsewhere may say only after its results that it had begun, which nobody wants to hear then.
    for (let tries = 1; ; tries++) {
      await using trial = new Trial(makeFactory, { workers: 2, chunk: 16 });
      await trial.until("both workers are ready", () => trial.workers.length === 2);
      for (const id of [0, 1, 2, 3, 4, 5]) trial.submit(id, { do: "return", value: id });
      await trial.settled(0, 1, 2, 3, 4, 5);
      if (trial.started.length < 2 && tries < 5) continue;
      // In the order they were sent; workers elsewhere may say in another order that they have begun.
      const sent = trial.started.map(({ ids }) => ids).sort((a, b) => a[0] - b[0]);
      assert.deepEqual(sent, [
        [0, 1, 2],
        [3, 4, 5],
      ]);
      return;
    }
  });

  itNeeds(
    subject,
    ["puts small tasks together", "runs several tasks at once"],
    "sends ever less at once towards the end of the queue, so that workers end together",
    async () => {
      await using trial = new Trial(makeFactory, { workers: 2, maxInFlight: 200 });
      await trial.until("both workers are ready", () => trial.workers.length === 2);
      const ids = Array.from({ length: 200 }, (_, i) => i);
      for (const id of ids) trial.submit(id, { do: "burn", ms: 1 });
      await trial.settled(...ids);
      let left = 200;
      // In the order they were sent; workers elsewhere may say in another order that they have begun.
      for (const handed of trial.started.toSorted((a, b) => a.ids[0] - b.ids[0])) {
        assert.ok(handed.ids.length <= Math.ceil(left / 4), `${handed.ids.length} at once when ${left} were left`);
        left -= handed.ids.length;
      }
      assert.ok(trial.started.some((handed) => handed.ids.length > 1));
    },
  );

  itNeeds(
    subject,
    ["puts small tasks together", "runs several tasks at once"],
    "sends no fewer at once than a message is worth, however short the queue",
    async () => {
      await using trial = new Trial(makeFactory, { workers: 2, maxInFlight: 400 });
      await trial.until("both workers are ready", () => trial.workers.length === 2);
      const first = Array.from({ length: 100 }, (_, i) => i);
      for (const id of first) trial.submit(id, { do: "return", value: id });
      await trial.settled(...first);
      // Tasks that had to wait for a core seem long, and are sent one by one until their mean is small again.
      let messages = Number.NaN;
      for (let next = 100; next < 900 && messages !== 2; next += 16) {
        const before = trial.started.length;
        const few = Array.from({ length: 16 }, (_, i) => next + i);
        for (const id of few) trial.submit(id, { do: "return", value: id });
        await trial.settled(...few);
        messages = trial.started.length - before;
      }
      assert.equal(messages, 2, "half of it to each");
    },
  );

  it("hands out the lowest ids first, once per turn of the event loop", async () => {
    await using trial = new Trial(makeFactory, { workers: 1, chunk: 1 });
    const shuffled = [7, 3, 9, 0, 5, 8, 1, 6, 2, 4];
    for (const id of shuffled) trial.submit(id, { do: "return", value: id });
    assert.equal(trial.started.length, 0);
    await trial.settled(...shuffled);
    assert.deepEqual(
      trial.started.flatMap((handed) => handed.ids),
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    );
  });

  it("tells an evaluation its id, key, attempt and a seed that depends on the run's seed and the key only", async () => {
    await using trial = new Trial(makeFactory, { workers: 1 }, { seed: 11 });
    trial.submit(5, { do: "describe" }, { key: "a", attempt: 0 });
    trial.submit(6, { do: "describe" }, { key: "a", attempt: 2 });
    const [first, second] = (await trial.values(5, 6)) as Record<string, unknown>[];
    assert.deepEqual([first.id, first.key, first.attempt, first.seed], [5, "a", 0, taskSeed(11, "a")]);
    assert.deepEqual([second.id, second.key, second.attempt, second.seed], [6, "a", 2, taskSeed(11, "a")]);
  });

  it("carries every kind of data there and back unchanged", async () => {
    await using trial = new Trial(makeFactory);
    const data: unknown[] = [
      -0,
      Number.NaN,
      Number.NEGATIVE_INFINITY,
      undefined,
      null,
      12345678901234567890n,
      "π \u{1f333} \u0000 \ud800",
      new Date(7),
      new Map([[{ a: 1 }, new Set([1, 2])]]),
      new Float64Array([1.5, -0, Number.NaN]),
      { $: "looks like a tag", nested: [[], {}] },
      "x".repeat(300_000),
    ];
    for (const [id, value] of data.entries()) trial.submit(id, { do: "return", value });
    assert.deepStrictEqual(await trial.values(...data.keys()), data);
  });

  it("takes at most maxInFlight unsettled tasks, and takes more as they settle", async () => {
    await using trial = new Trial(makeFactory, { workers: 1, maxInFlight: 3 });
    assert.equal(trial.pool.maxInFlight, 3);
    for (const id of [0, 1, 2]) trial.submit(id, { do: "return", value: id });
    assert.throws(() => trial.submit(3, { do: "return", value: 3 }), /^RangeError: .*maxInFlight \(3 /);
    await trial.settled(0, 1, 2);
    trial.submit(3, { do: "return", value: 3 });
    assert.deepEqual(await trial.values(3), [3]);
  });

  itNeeds(subject, ["runs several tasks at once"], "keeps all its workers at work", async () => {
    await using trial = new Trial(makeFactory, { workers: 3, chunk: 1 });
    assert.equal(trial.pool.workers, 3);
    await trial.until("three workers are ready", () => trial.workers.length === 3);
    for (const id of [0, 1, 2]) trial.submit(id, { do: "hang" });
    await trial.until("three tasks are handed out", () => trial.started.length === 3);
    assert.deepEqual(trial.started.map(({ worker }) => worker.worker).sort(), [0, 1, 2]);
    await trial.close(0);
  });

  it("says where each task runs: worker number, pid and when that process started", async () => {
    await using trial = new Trial(makeFactory);
    trial.submit(0, { do: "describe" });
    const [told] = (await trial.values(0)) as { pid: number }[];
    const [{ worker }] = trial.started;
    assert.equal(worker.worker, 0);
    assert.equal(worker.pid, told.pid);
    assert.ok(worker.pidStart.length > 0);
    assert.deepEqual(trial.workers[0], { identity: worker, state: "ready" });
  });

  it("passes on progress, log lines and named timers", async () => {
    await using trial = new Trial(makeFactory, {}, { timers: true });
    trial.submit(0, { do: "report" });
    trial.submit(1, { do: "timed" });
    await trial.settled(0, 1);
    assert.deepEqual(trial.progress.at(-1), { id: 0, progress: { done: 4, total: 4 } });
    await trial.close();
    const count = trial.timers.reduce((sum, totals) => sum + (totals["probe.part"]?.count ?? 0), 0);
    assert.equal(count, 5);
  });
}
