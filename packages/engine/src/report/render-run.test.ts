import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { simulateRun } from "../../test/simulated-run.ts";
import { renderRun } from "./render-run.ts";
import { ReportBuilder } from "./report-builder.ts";

describe("a run as text", () => {
  it("has facts, progress, failures, timers' shares and workers", () => {
    const builder = new ReportBuilder();
    const events = simulateRun({
      tasks: 8,
      workers: 2,
      taskMs: () => 100,
      failures: (ask) => (ask === 3 ? 1 : 0),
      best: (told) => 10 - told,
      levels: (told) => [{ name: "Tasks", done: told, total: 8 }],
      timers: true,
    });
    for (const event of events) builder.see(event);
    assert.equal(
      renderRun(builder.report([{ name: "evaluator", value: "plan.ts\u001b[2J" }])),
      `run 17: done
Tasks: 8/8 (100.0%) | Overall: 100.0% | Elapsed: 0s
best value 2

  run                17
  tool               run
  state              done
  digest             9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
  reproducible from  its seed
  seed               42
  lookahead          64
  pool               threads, 2 workers
  started            2026-11-15T09:30:00.000Z
  time at work       546 ms
  asked, told        8, 8
  evaluations        8 completed, 0 failed, 1 attempt tried again
  evaluator          plan.ts · [2J

failed attempts: 1 (RangeError × 1)
  task 3, attempt 1 on worker 1 after 100 ms, 240 ms into the run, tried again: RangeError: no rate fits <volume 3> & more

timers, as shares of the workers' time
  name                                 self   self time  with nested  count
  plan.rates     ██████████░░░░░░░░░░  47.5%  480 ms     47.5%        32
  plan.evaluate  █████░░░░░░░░░░░░░░░  23.8%  240 ms     71.3%        8
  in all 71.3%

workers
  worker  done  failed  busy
  0       5     0       99.0%
  1       3     1       79.2%`,
    );
  });

  it("is short for a run in which nothing happened", () => {
    assert.match(renderRun(new ReportBuilder().report()), /^run \?: unfinished\n\n {2}state/);
  });
});
