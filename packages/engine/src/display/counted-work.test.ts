import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SIMULATED_START as T } from "../../test/simulated-run.ts";
import type { RunEvent } from "../contract/event.ts";
import { RunView } from "./run-view.ts";
import { levelsLine, summaryLine } from "./summary-line.ts";

const worker = (n: number) => ({ worker: n, pid: 10 + n, pidStart: "" });
const start = { id: "1", tool: "t", directory: undefined, pool: "threads", workers: 2, seed: 0, lookahead: 8 };
const reported = (at: number, ask: number, done: number, best: number): RunEvent => ({
  type: "progress",
  at,
  ask,
  progress: { done, total: 1000, unit: "evaluations", best },
});

/** Four tasks of 1,000 evaluations each on two workers, five seconds in. */
function halfWay(): RunView {
  const view = new RunView();
  view.see({ type: "run-started", at: T, start });
  for (let ask = 0; ask < 4; ask++) view.see({ type: "queued", at: T, ask, key: `root/${ask}` });
  for (let ask = 0; ask < 2; ask++) view.see({ type: "started", at: T, worker: worker(ask), asks: [ask] });
  for (let second = 1; second <= 5; second++) {
    view.see(reported(T + 1000 * second, 0, 100 * second, 90 - second));
    view.see(reported(T + 1000 * second, 1, 100 * second, 80 - second));
  }
  return view;
}

describe("counted work", () => {
  it("F-11: while tasks run, adds up what they did, their best and their pace, with an ETA for all and for each", () => {
    const now = halfWay().at(T + 5000);
    assert.deepEqual([now.told, now.work?.done, now.work?.total], [0, 1000, 4000]);
    assert.deepEqual([now.best, now.fraction, now.etaMs], [75, 0.25, 15_000]);
    assert.equal(now.work?.rate, 225, "900 in the four seconds since the first report");
    assert.deepEqual(
      now.workers.map(({ etaMs }) => etaMs),
      [5000, 5000],
    );
    assert.match(summaryLine(now), /^0\/4 tasks · 1,000\/4,000 evaluations · 225\/s · best 75 · elapsed 5s · ETA 15s$/);
  });

  it("counts a finished task in full, and one that starts again from nothing", () => {
    const view = halfWay();
    const completed = { key: "root/0", worker: 0, elapsedMs: 5000, from: "worker" } as const;
    view.see({ type: "completed", at: T + 5000, ask: 0, ...completed });
    view.see({ type: "requeued", at: T + 5000, ask: 1, reason: "its worker died" });
    const { work } = view.at(T + 5000);
    assert.deepEqual([work?.done, work?.total], [1000, 4000]);
  });

  it("says how far levels are by what is counted, which moves between two tells", () => {
    const view = halfWay();
    view.see({
      type: "told",
      at: T + 5000,
      asked: 4,
      told: 0,
      search: { levels: [{ name: "Roots", done: 0, total: 4 }] },
    });
    assert.match(levelsLine(view.at(T + 5000)) ?? "", /^Roots: 0\/4 \(0\.0%\) \| Overall: 25\.0% \| .*ETA: 15s$/);
  });

  it("takes the most as the best where that is wanted", () => {
    const view = new RunView();
    for (const [ask, best] of [3, 9, 5].entries()) {
      const progress = { done: 1, total: 2, unit: "steps", best, goal: "most" } as const;
      view.see({ type: "progress", at: T, ask, progress });
    }
    assert.equal(view.at(T).best, 9);
  });

  it("counts with what the search knows: tasks that nobody asked for yet, and those of earlier sessions", () => {
    const view = new RunView();
    const counted = (done: number) => ({ counted: { done, total: 1000 } });
    const plan = { reused: 5, rerun: 0, reasons: [] };
    view.see({ type: "resumed", at: T, plan });
    view.see({ type: "told", at: T, asked: 6, told: 5, search: counted(500) });
    view.see({ type: "queued", at: T, ask: 5, key: "a" });
    view.see({ type: "started", at: T, worker: { worker: 0, pid: 1, pidStart: "" }, asks: [5] });
    const progress = { done: 100, total: 100, unit: "evaluations" };
    view.see({ type: "progress", at: T + 1000, ask: 5, progress });
    view.see({ type: "told", at: T + 1000, asked: 7, told: 6, search: { ...counted(600), levels: [] } });
    const { work, fraction } = view.at(T + 1000);
    assert.deepEqual([work?.done, work?.total, fraction], [600, 1000, 0.6]);
  });
});
