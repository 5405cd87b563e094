import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { stripVTControlCharacters } from "node:util";
import type { RunEvent } from "@coppice/engine";
import { RunView } from "@coppice/engine/display";
import stringWidth from "string-width";
import { runFrame } from "./frame.ts";

const T = Date.UTC(2026, 10, 15);
const size = { columns: 100, rows: 40, color: false };
const start = { id: "3", tool: "run", directory: undefined, pool: "threads", workers: 3, seed: 1, lookahead: 64 };
const identity = (worker: number) => ({ worker, pid: 10 + worker, pidStart: "" });

function snapshot(events: readonly RunEvent[], afterMs: number) {
  const view = new RunView();
  for (const event of events) view.see(event);
  return view.at(T + afterMs);
}

/** Two workers at work since the start, one that has nothing to do, and a first result after a second. */
const events: RunEvent[] = [
  { type: "run-started", at: T, start },
  ...[0, 1, 2].map((worker): RunEvent => ({ type: "worker", at: T, identity: identity(worker), state: "ready" })),
  ...[0, 1, 2, 3].map((ask): RunEvent => ({ type: "queued", at: T, ask, key: `volume-${ask}` })),
  { type: "started", at: T, worker: identity(0), asks: [0, 1] },
  { type: "started", at: T, worker: identity(1), asks: [2] },
  { type: "progress", at: T + 900, ask: 2, progress: { done: 1, total: 4, label: "flows" } },
  { type: "completed", at: T + 1000, ask: 0, key: "volume-0", worker: 0, elapsedMs: 1000, from: "worker" },
  { type: "told", at: T + 1000, asked: 4, told: 1, search: { best: 12.5 } },
];

describe("the terminal's frame", () => {
  it("has the aggregate line and a row per worker", () => {
    assert.deepEqual(runFrame(snapshot(events, 1200), { ...size, columns: 70 }).split("\n"), [
      "██████░░░░░░░░░░░░░░░░░░ 1/4 tasks (25.0%) · best 12.5 · elapsed 1s",
      "worker  state  task                                      done      ETA",
      "     0  busy   #1 volume-1                                  1       1s",
      "     1  busy   #2 volume-2 (1/4 flows)                      0       4s",
      "     2  idle                                                0",
    ]);
  });

  it("has a row per call where workers are only places in line", () => {
    const waiting = events.map(
      (event): RunEvent =>
        event.type === "run-started" ? { ...event, start: { ...start, pool: "concurrent" } } : event,
    );
    const tokens: RunEvent = {
      type: "progress",
      at: T + 1100,
      ask: 1,
      progress: { done: 7, total: 0, label: "tokens" },
    };
    const rows = runFrame(snapshot([...waiting, tokens], 1200), size)
      .split("\n")
      .slice(2);
    assert.match(rows[0], /#1 volume-1 \(7 tokens\)/, "nobody knows how many there will be");
    assert.deepEqual(
      rows.map((row) => row.trim().split(/\s+/).slice(0, 3)),
      [
        ["0", "busy", "#1"],
        ["1", "busy", "#2"],
      ],
    );
  });

  it("calls a task as its evaluator does, and a failure as its tool does", () => {
    const named: RunEvent = {
      type: "progress",
      at: T + 1100,
      ask: 2,
      progress: { done: 0, total: 0, name: "cache.md", label: "implement" },
    };
    const failed: RunEvent = {
      ...{ type: "failed", at: T + 1150, ask: 1, key: "volume-1", worker: 0, elapsedMs: 9, attempt: 0 },
      ...{ willRetry: false, failure: { type: "StepFailed", message: "test ended with exit code 1" } },
      detail: { timedOut: false, workerLost: false },
      says: ["typo.md failed: StepFailed: test ended with exit code 1", "  | more"],
    };
    const lines = runFrame(snapshot([...events, named, failed], 1200), size).split("\n");
    assert.match(lines[3], /#2 cache\.md \(implement\)/);
    assert.equal(lines.at(-1), "last failure: typo.md failed: StepFailed: test ended with exit code 1");
  });

  it("never exceeds the terminal's width or height", () => {
    const many = Array.from({ length: 100 }, (_, worker) => worker).flatMap((worker): RunEvent[] => [
      { type: "queued", at: T, ask: worker, key: `a rather long key of volume ${worker} 管制区域`.repeat(3) },
      { type: "started", at: T, worker: identity(worker), asks: [worker] },
    ]);
    for (const columns of [10, 20, 40, 79, 200]) {
      for (const rows of [5, 10, 24, 60]) {
        for (const color of [true, false]) {
          const lines = runFrame(snapshot([...events, ...many], 1200), { columns, rows, color }).split("\n");
          assert.ok(lines.length < Math.max(rows, 7), `${lines.length} lines in ${rows}`);
          for (const line of lines) {
            const width = stringWidth(stripVTControlCharacters(line));
            assert.ok(width <= columns, `${width} of ${columns}: ${line}`);
          }
        }
      }
    }
  });

  it("sums up the workers there is no room for", () => {
    const many = Array.from(
      { length: 100 },
      (_, worker): RunEvent => ({
        type: "worker",
        at: T,
        identity: identity(worker),
        state: "ready",
      }),
    );
    const lines = runFrame(snapshot([...events, ...many], 1200), { ...size, rows: 14 }).split("\n");
    assert.equal(lines.at(-1), "     … 92 more: 92 idle, 0 done");
  });

  it("shows how far a task is that cannot say how much there is to do", () => {
    const told: RunEvent = {
      type: "progress",
      at: T + 1100,
      ask: 2,
      progress: { done: 44, total: 0, label: "tokens" },
    };
    assert.match(runFrame(snapshot([...events, told], 1200), size), /#2 volume-2 \(44 tokens\)/);
  });

  it("uses color only when told to", () => {
    const run = snapshot(events, 1200);
    assert.equal(stripVTControlCharacters(runFrame(run, size)), runFrame(run, size));
    const colored = runFrame(run, { ...size, color: true });
    assert.notEqual(colored, runFrame(run, size));
    assert.equal(stripVTControlCharacters(colored), runFrame(run, size));
  });

  it("shows levels while the search has some, and the last failure", () => {
    const failed: RunEvent = {
      type: "failed",
      at: T + 1100,
      ask: 2,
      key: "volume-2",
      worker: 1,
      elapsedMs: 1100,
      attempt: 0,
      willRetry: true,
      failure: { type: "RangeError", message: "no rate\nfits" },
      detail: { timedOut: false, workerLost: false },
    };
    const levels = [
      { name: "Configs", done: 42, total: 105 },
      { name: "Horizons", done: 3, total: 5 },
    ];
    const told: RunEvent = { type: "told", at: T + 1200, asked: 4, told: 2, search: { levels } };
    const lines = runFrame(snapshot([...events, failed, told], 135_000), size).split("\n");
    assert.equal(
      lines[1],
      "Configs: 42/105 (40.0%) | Horizons: 3/5 (60.0%) | Overall: 40.6% | Elapsed: 2m 15s | ETA: 3m 18s",
    );
    assert.equal(lines.at(-1), "last failure: task 2: RangeError: no rate·fits");
  });

  it("shows what the search says of itself, two lines at most, until the run has ended", () => {
    const says = ["round 3: T 4.31 to 3.72", "plans handed on: 5→2 0→3", "and more"];
    const told: RunEvent = { type: "told", at: T + 1200, asked: 4, told: 2, search: { says } };
    const lines = runFrame(snapshot([...events, told], 1300), { ...size, columns: 20 }).split("\n");
    assert.deepEqual(lines.slice(1, 3), ["round 3: T 4.31 to …", "plans handed on: 5→…"]);
    assert.match(lines[3], /^worker/);
    for (const rows of [5, 8, 10]) {
      const fitted = runFrame(snapshot([...events, told], 1300), { ...size, rows }).split("\n");
      assert.ok(fitted.length < Math.max(rows, 9), `${fitted.length} lines in ${rows}`);
    }
  });

  it("leaves only the figures when the run has ended", () => {
    const end: RunEvent = {
      type: "finished",
      at: T + 2000,
      end: { state: "done", digest: "ab", tells: 4, reproducible: { from: "seed" } },
    };
    assert.equal(
      runFrame(snapshot([...events, end], 9000), size),
      "████████████████████████ 4/4 tasks (100.0%) · best 12.5 · in 2.00 s",
    );
  });
});
