import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { runLogEvents } from "./run-log-events.ts";

describe("events from a run log", () => {
  const directory = mkdtempSync(join(tmpdir(), "coppice-run-log-"));
  after(() => rmSync(directory, { recursive: true, force: true }));

  const eventsOf = (text: string) => {
    mkdirSync(join(directory, "logs"), { recursive: true });
    writeFileSync(join(directory, "logs", "run.log"), text);
    return [...runLogEvents(directory)];
  };
  const time = "2026-11-15T09:30:00.000Z";
  const at = Date.parse(time);
  const best = JSON.stringify({ level: "info", time, event: "best", told: 3, best: 0.5, msg: "best 0.5" });
  const ready = JSON.stringify({ time, event: "worker", worker: 0, pid: 12, state: "ready" });
  const timers = { plan: { ms: 3, selfMs: 2, count: 1 } };
  const summary = JSON.stringify({ time, event: "worker-summary", worker: 0, timers });

  it("are its best values, workers and timers", () => {
    assert.deepEqual(eventsOf(`${best}\n${ready}\n${summary}\n`), [
      { type: "told", at, told: 3, asked: 0, search: { best: 0.5 } },
      { type: "worker", at, identity: { worker: 0, pid: 12, pidStart: "" }, state: "ready" },
      { type: "timers", at, worker: 0, totals: timers },
    ]);
  });

  it("leave out lines that were cut off, edited or are of another kind", () => {
    const wrong = [
      "not json",
      "{}",
      "null",
      JSON.stringify({ event: "best", told: 1, best: 2 }),
      JSON.stringify({ time: "yesterday", event: "best", told: 1, best: 2 }),
      JSON.stringify({ time, event: "best", told: "1", best: 2 }),
      JSON.stringify({ time, event: "worker", worker: 0, state: "ready" }),
      JSON.stringify({ time, event: "worker-summary", worker: 0, timers: { plan: 3 } }),
      JSON.stringify({ time, event: "worker-summary", worker: 0, timers: null }),
      best.slice(0, -5),
    ];
    assert.deepEqual(eventsOf(wrong.join("\n")), []);
  });

  it("are none when there is no log", () => {
    assert.deepEqual([...runLogEvents(join(directory, "elsewhere"))], []);
  });
});
