import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { SIMULATED_START, simulateRun } from "../../test/simulated-run.ts";
import type { RunEvent } from "../contract/event.ts";
import { RunView } from "./run-view.ts";

const T = SIMULATED_START;
const start = { id: "1", tool: "run", directory: undefined, pool: "threads", workers: 2, seed: 1, lookahead: 8 };
const worker = (number: number) => ({ worker: number, pid: 100 + number, pidStart: "x" });

function viewOf(events: Iterable<RunEvent>): RunView {
  const view = new RunView();
  for (const event of events) view.see(event);
  return view;
}

function completed(at: number, ask: number, by: number, elapsedMs: number): RunEvent {
  return { type: "completed", at, ask, key: `k${ask}`, worker: by, elapsedMs, from: "worker" };
}

describe("a view of a run", () => {
  it("knows what a finished run did, and its time stands still", () => {
    const events = [...simulateRun({ tasks: 40, workers: 4, taskMs: () => 100, best: (told) => 1000 - told })];
    const last = events.at(-1)?.at ?? 0;
    const snapshot = viewOf(events).at(last + 60_000);
    assert.equal(snapshot.told, 40);
    assert.equal(snapshot.asked, 40);
    assert.equal(snapshot.counts.completed, 40);
    assert.equal(snapshot.best, 960);
    assert.equal(snapshot.fraction, 1);
    assert.equal(snapshot.etaMs, 0);
    assert.equal(snapshot.end?.state, "done");
    assert.equal(snapshot.elapsedMs, last - T);
    assert.deepEqual(
      snapshot.workers.map(({ worker, state, done, busyMs }) => ({ worker, state, done, busyMs })),
      [0, 1, 2, 3].map((number) => ({ worker: number, state: "ended", done: 10, busyMs: 1000 })),
    );
  });

  it("shows each worker's task, how many wait behind it, and when it will be through", () => {
    const view = viewOf([
      { type: "run-started", at: T, start },
      { type: "queued", at: T, ask: 0, key: "first" },
      { type: "queued", at: T, ask: 1, key: "2/b", says: ["second"] },
      { type: "queued", at: T, ask: 2, key: "third" },
      { type: "worker", at: T, identity: worker(1), state: "ready" },
      { type: "started", at: T, worker: worker(0), asks: [0, 1, 2] },
    ]);
    const [busy, idle] = view.at(T + 10).workers;
    assert.deepEqual([busy.state, busy.task?.key, busy.waiting, busy.etaMs], ["busy", "first", 2, undefined]);
    assert.deepEqual([idle.state, idle.task, idle.done], ["idle", undefined, 0]);

    view.see(completed(T + 1000, 0, 0, 1000));
    const [next] = view.at(T + 1400).workers;
    assert.deepEqual([next.task?.key, next.waiting, next.done, next.etaMs], ["second", 1, 1, 600 + 1000]);
  });

  it("takes a task's own report for its estimate", () => {
    const view = viewOf([
      { type: "started", at: T, worker: worker(0), asks: [0] },
      { type: "progress", at: T + 500, ask: 0, progress: { done: 1, total: 4, label: "sweep" } },
    ]);
    const [row] = view.at(T + 500).workers;
    assert.equal(row.etaMs, 1500);
    assert.equal(row.task?.progress?.label, "sweep");
  });

  it("tells the pace of what the search counts where tasks end before they have reported it", () => {
    const view = new RunView();
    const told = (at: number, done: number): RunEvent => ({
      type: "told",
      at,
      asked: 100,
      told: done / 100,
      search: { counted: { done, total: 10_000 } },
    });
    view.see({ type: "run-started", at: T, start });
    view.see(told(T, 2000));
    view.see({ type: "started", at: T, worker: worker(0), asks: [20] });
    view.see({ type: "progress", at: T + 10, ask: 20, progress: { done: 1, total: 100, unit: "evaluations" } });
    for (let i = 1; i <= 20; i++) view.see(told(T + i * 100, 2000 + i * 100));
    const { work } = view.at(T + 2000);
    assert.deepEqual([work?.done, work?.total, work?.rate], [4000, 10_000, 1000]);
  });

  it("recovers when events were dropped", () => {
    const view = viewOf([
      { type: "started", at: T, worker: worker(0), asks: [0, 1] },
      { type: "started", at: T + 20, worker: worker(0), asks: [2, 3] },
      completed(T + 30, 2, 0, 10),
    ]);
    const [row] = view.at(T + 30).workers;
    assert.deepEqual([row.task?.ask, row.waiting], [3, 0]);
  });

  it("lets a requeued or cancelled task go, and everything of a worker that ended", () => {
    const view = viewOf([
      { type: "started", at: T, worker: worker(0), asks: [0, 1, 2] },
      { type: "requeued", at: T, ask: 1, reason: "worker 0 was replaced" },
      { type: "cancelled", at: T, ask: 0, reason: "withdrawn" },
    ]);
    assert.deepEqual(view.at(T).workers[0].task?.ask, 2);
    view.see({ type: "worker", at: T + 5, identity: worker(0), state: "ended", reason: "SIGKILL" });
    const { state, task, aliveMs } = view.at(T + 50).workers[0];
    assert.deepEqual([state, task, aliveMs], ["ended", undefined, 5]);
  });

  it("does not count the time between two sessions of a journal as a worker's", () => {
    const later = T + 86_400_000;
    const view = viewOf([
      { type: "run-started", at: T, start },
      { type: "started", at: T, worker: worker(0), asks: [0] },
      completed(T + 100, 0, 0, 100),
      { type: "started", at: T + 100, worker: worker(0), asks: [1] },
      { type: "run-started", at: later, start },
    ]);
    const [row] = view.at(later + 50).workers;
    assert.deepEqual([row.state, row.task, row.aliveMs], ["ended", undefined, 100]);
    assert.equal(view.at(later + 50).elapsedMs, 50);
  });

  it("estimates from the levels if the search has some", () => {
    const view = viewOf([
      { type: "run-started", at: T, start },
      { type: "started", at: T, worker: worker(0), asks: [0] },
      {
        type: "told",
        at: T + 135_000,
        asked: 300,
        told: 210,
        search: {
          levels: [
            { name: "Configs", done: 42, total: 105 },
            { name: "Horizons", done: 3, total: 5 },
          ],
        },
      },
    ]);
    const { fraction, etaMs } = view.at(T + 135_000);
    assert.ok(Math.abs(fraction - 42.6 / 105) < 1e-12);
    assert.equal(Math.round((etaMs ?? 0) / 1000), 198);
  });

  it("leaves what a resumed run reused out of its estimate", () => {
    const level = (done: number) => ({ levels: [{ name: "Tasks", done, total: 100 }] });
    const view = viewOf([
      { type: "run-started", at: T, start },
      { type: "resumed", at: T, plan: { reused: 50, rerun: 2, reasons: [] } },
      { type: "told", at: T + 100, asked: 58, told: 50, search: level(50) },
    ]);
    assert.equal(view.at(T + 100).etaMs, undefined);
    view.see({ type: "started", at: T + 1000, worker: worker(0), asks: [50] });
    view.see({ type: "told", at: T + 11_000, asked: 83, told: 75, search: level(75) });
    const snapshot = view.at(T + 11_000);
    assert.equal(snapshot.etaMs, 10_000);
  });

  it("counts what failed before a resume once, whether it saw it fail or not", () => {
    const failed = [
      ...simulateRun({
        tasks: 4,
        workers: 1,
        taskMs: () => 10,
        failures: (ask) => (ask < 3 ? Number.POSITIVE_INFINITY : 0),
      }),
    ];
    const resumed: RunEvent = { type: "resumed", at: T, plan: { reused: 3, failed: 3, rerun: 1, reasons: [] } };
    assert.equal(viewOf([{ type: "run-started", at: T, start }, resumed]).at(T).counts.failed, 3);
    assert.equal(viewOf([...failed, resumed]).at(T).counts.failed, 3);
  });

  it("says how fast evaluations end now, and 0 when the run stalls", () => {
    const events = [...simulateRun({ tasks: 600, workers: 2, taskMs: () => 100 })].filter(({ at }) => at < T + 20_000);
    const view = viewOf(events);
    const rate = view.at(T + 20_000).rate ?? 0;
    assert.ok(Math.abs(rate - 20) < 1, `${rate}/s`);
    assert.equal(view.at(T + 60_000).rate, 0);
  });

  it("counts retries apart from failures and remembers the last one", () => {
    const failures = (ask: number) => (ask === 3 ? 1 : ask === 7 ? Number.POSITIVE_INFINITY : 0);
    const { counts, lastFailure } = viewOf(simulateRun({ tasks: 10, workers: 1, taskMs: () => 5, failures })).at(T);
    assert.deepEqual([counts.completed, counts.failed, counts.retried], [9, 1, 2]);
    assert.deepEqual([lastFailure?.ask, lastFailure?.willRetry], [7, false]);
  });

  it("gives timers as shares of the workers' time", () => {
    const { timers } = viewOf(simulateRun({ tasks: 100, workers: 2, taskMs: () => 50, timers: true })).at(T);
    assert.deepEqual(
      timers.map(({ name, count }) => [name, count]),
      [
        ["plan.rates", 400],
        ["plan.evaluate", 100],
      ],
    );
    const sum = timers.reduce((total, { share }) => total + share, 0);
    assert.ok(sum > 0.85 && sum <= 0.9, `${sum}`);
  });

  it("holds up whatever part of the events it is given", () => {
    const shape = fc.record({
      tasks: fc.nat(40),
      workers: fc.integer({ min: 1, max: 5 }),
      drop: fc.infiniteStream(fc.boolean()),
    });
    fc.assert(
      fc.property(shape, ({ tasks, workers, drop }) => {
        const events = [...simulateRun({ tasks, workers, taskMs: (ask) => 1 + (ask % 7), timers: true })];
        const kept = events.filter(() => drop.next().value);
        const snapshot = viewOf(kept).at(T + 1000);
        assert.ok(snapshot.fraction >= 0 && snapshot.fraction <= 1);
        for (const row of snapshot.workers) assert.ok(row.aliveMs >= 0 && row.waiting <= tasks);
        assert.ok(snapshot.timers.reduce((sum, { share }) => sum + share, 0) <= 1 + 1e-9);
      }),
    );
  });
});
