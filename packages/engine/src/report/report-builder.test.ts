import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SIMULATED_START, type SimulatedRun, simulateRun } from "../../test/simulated-run.ts";
import type { RunEvent } from "../contract/event.ts";
import { ReportBuilder } from "./report-builder.ts";
import type { RunReport } from "./run-report.ts";

function reportOf(events: Iterable<RunEvent>): RunReport {
  const builder = new ReportBuilder();
  for (const event of events) builder.see(event);
  return builder.report();
}

const small: SimulatedRun = {
  tasks: 60,
  workers: 3,
  taskMs: (ask) => 40 + (ask % 5) * 10,
  failures: (ask) => (ask === 10 ? 1 : ask === 20 ? Number.POSITIVE_INFINITY : 0),
  best: (told) => 100 - told,
  timers: true,
};

describe("a report", () => {
  it("has every evaluation of a small run on its timeline, one at a time per worker", () => {
    const { timeline, counts } = reportOf(simulateRun(small));
    const spans = timeline.spans ?? [];
    assert.equal(spans.length, counts.completed + counts.failed + counts.retried);
    for (const worker of [0, 1, 2]) {
      const own = spans.filter((span) => span.worker === worker).sort((a, b) => a.fromMs - b.fromMs);
      for (let i = 1; i < own.length; i++) assert.ok(own[i].fromMs >= own[i - 1].toMs - 1e-6);
    }
    assert.equal(spans.filter(({ ok }) => !ok).length, 3);
  });

  it("lays results that arrived together one after the other", () => {
    const worker = { worker: 0, pid: 1, pidStart: "" };
    const completed = (ask: number): RunEvent => ({
      type: "completed",
      at: SIMULATED_START + 100,
      ask,
      key: `k${ask}`,
      worker: 0,
      elapsedMs: 10,
      from: "worker",
    });
    const { timeline } = reportOf([
      { type: "worker", at: SIMULATED_START, identity: worker, state: "ready" },
      completed(0),
      completed(1),
      completed(2),
    ]);
    assert.deepEqual(
      timeline.spans?.map(({ ask, fromMs, toMs }) => [ask, fromMs, toMs]),
      [
        [2, 90, 100],
        [1, 80, 90],
        [0, 70, 80],
      ],
    );
  });

  it("keeps the convergence curve, the failures with all that is known, and the timers", () => {
    const { curve, failures, timers, best, workers } = reportOf(simulateRun(small));
    assert.deepEqual(curve[0], { told: 1, best: 99 });
    assert.deepEqual(curve.at(-1), { told: 60, best: 40 });
    assert.equal(best, 40);
    assert.equal(failures.total, 3);
    assert.deepEqual(failures.byType, [{ type: "RangeError", count: 3 }]);
    const [first] = failures.shown;
    assert.deepEqual([first.ask, first.attempt, first.willRetry], [10, 0, true]);
    assert.match(first.detail.stack ?? "", /at evaluate/);
    assert.deepEqual(first.detail.logTail, ["trying volume 10", "12 of 40 flows"]);
    assert.deepEqual(
      timers.map(({ name }) => name),
      ["plan.rates", "plan.evaluate"],
    );
    assert.equal(
      workers.reduce((sum, { done, failed }) => sum + done + failed, 0),
      62,
    );
  });

  it("leaves out the time between sessions and marks where the run was resumed", () => {
    const first = [...simulateRun(small)].filter(({ at }) => at < SIMULATED_START + 500);
    const second = simulateRun({ ...small, startedAt: SIMULATED_START + 86_400_000 });
    const report = reportOf([...first, ...second]);
    assert.equal(report.sessions, 2);
    assert.ok(report.activeMs < 3000, `${report.activeMs} ms`);
    const [resumedMs] = report.timeline.sessionsMs;
    assert.ok(resumedMs > 400 && resumedMs < 500, `${resumedMs} ms`);
    assert.equal(report.curve.at(-1)?.told, 60);
    assert.ok(report.workers.every(({ busyMs, aliveMs }) => busyMs <= aliveMs + 1));
  });

  it("stays small when everything fails at length", () => {
    const long = "<&>".repeat(10_000);
    const failed = (ask: number): RunEvent => ({
      type: "failed",
      at: SIMULATED_START + ask,
      ask,
      key: long,
      worker: 0,
      elapsedMs: 1,
      attempt: 0,
      willRetry: false,
      failure: { type: `${ask}${long}`, message: long },
      detail: {
        timedOut: false,
        workerLost: true,
        stack: long,
        causes: Array.from({ length: 100 }, () => long),
        logTail: Array.from({ length: 100 }, () => long),
      },
    });
    const report = reportOf(Array.from({ length: 1000 }, (_, ask) => failed(ask)));
    assert.equal(report.failures.total, 1000);
    assert.equal(report.failures.shown[0].detail.workerLost, true);
    const size = JSON.stringify(report).length;
    assert.ok(size < 1_500_000, `${size} bytes`);
  });

  it("stays small with a hundred thousand tasks, and its busy steps still add up", () => {
    const report = reportOf(
      simulateRun({
        tasks: 100_000,
        workers: 8,
        lookahead: 64,
        taskMs: () => 3,
        failures: (ask) => (ask % 100 === 0 ? 1 : 0),
        best: (told) => 1 / told,
      }),
    );
    assert.equal(report.timeline.spans, undefined);
    const size = JSON.stringify(report).length;
    assert.ok(size < 300_000, `${size} bytes`);
    assert.ok(report.curve.length > 200 && report.curve.length <= 601, `${report.curve.length} points`);
    assert.deepEqual(report.curve.at(-1), { told: 100_000, best: 1 / 100_000 });
    assert.equal(report.failures.total, 1000);
    assert.equal(report.failures.shown.length, 200);
    const { rows, stepMs } = report.timeline;
    const laidMs = rows.reduce((sum, row) => sum + row.busy.reduce((part, busy) => part + busy * stepMs, 0), 0);
    const busyMs = report.workers.reduce((sum, worker) => sum + worker.busyMs, 0);
    assert.ok(Math.abs(laidMs - busyMs) < 0.01 * busyMs, `${laidMs} of ${busyMs} ms`);
    const failed = rows.reduce((sum, row) => sum + row.failed.reduce((part, count) => part + count, 0), 0);
    assert.equal(failed, 1000);
  });
});
