import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { simulateRun } from "../../test/simulated-run.ts";
import { reportPage } from "./page.ts";
import { ReportBuilder } from "./report-builder.ts";

function pageOf(run: Parameters<typeof simulateRun>[0]): string {
  const builder = new ReportBuilder();
  for (const event of simulateRun(run)) builder.see(event);
  return reportPage(builder.report([{ name: "evaluator", value: "plan.ts <v3>" }]));
}

describe("the report page", () => {
  it("states the facts a reader needs to repeat the run", () => {
    const page = pageOf({ tasks: 10, workers: 2, taskMs: () => 20 });
    for (const fact of ["seed", "lookahead", "digest", "reproducible from", "9f86d081884c", "plan.ts &lt;v3&gt;"]) {
      assert.ok(page.includes(fact), fact);
    }
  });

  it("refers to nothing outside itself", () => {
    const page = pageOf({ tasks: 10, workers: 2, taskMs: () => 20, failures: () => 1 });
    assert.doesNotMatch(page, /<link|@import|url\(|src=|https?:/);
  });

  it("says so when a run was interrupted or lost its seed", () => {
    const interrupted = pageOf({
      tasks: 3,
      workers: 1,
      taskMs: () => 5,
      end: { state: "interrupted", message: "interrupted by SIGINT <now>", tells: 2 },
    });
    assert.match(interrupted, /class="state open">interrupted/);
    assert.match(interrupted, /SIGINT &lt;now&gt;/);
    const timedOut = pageOf({
      tasks: 3,
      workers: 1,
      taskMs: () => 5,
      end: {
        state: "done",
        digest: "ab",
        tells: 3,
        reproducible: { from: "journal", reason: "a task timed out", tell: 2 },
      },
    });
    assert.match(timedOut, /Reproducible from its journal, not from its seed: a task timed out at tell 2/);
  });

  it("stays below 400 kB with 100,000 tasks on 100 workers and with every task failing", () => {
    const large = pageOf({
      tasks: 100_000,
      workers: 100,
      lookahead: 64,
      taskMs: (ask) => 5 + (ask % 90),
      best: (told) => 1 / told,
    });
    assert.ok(large.length < 400_000, `${large.length} bytes`);
    const failing = pageOf({ tasks: 5000, workers: 4, taskMs: () => 5, failures: () => Number.POSITIVE_INFINITY });
    assert.ok(failing.length < 400_000, `${failing.length} bytes`);
  });

  it("is a whole page for a run in which nothing happened", () => {
    const page = pageOf({ tasks: 0, workers: 1, taskMs: () => 1 });
    assert.match(page, /No attempt failed/);
    assert.match(page, /No task was evaluated/);
    assert.match(page, /reported no best value/);
    assert.doesNotMatch(page, /NaN|Infinity|undefined/);
  });
});
