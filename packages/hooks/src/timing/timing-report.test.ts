import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { declared, hookOf } from "../../test/hook-of.ts";
import { TemporaryProject } from "../../test/temporary-project.ts";
import { stageHooks } from "../staging/stage-hooks.ts";
import { appendRecords, type EventRecord, type HookRecord, readRecords } from "./timing-records.ts";
import { timingReport } from "./timing-report.ts";
import { reportText } from "./timing-tables.ts";

const NOW = Date.UTC(2026, 10, 12, 12);
const WEEK_MS = 7 * 86_400_000;

function hook(name: string, duration_ms: number, fields: Partial<HookRecord> = {}): HookRecord {
  const common = {
    kind: "hook",
    ts: NOW - 1000,
    run: "r1",
    session: "s",
    event: "Stop",
    stage: 1,
    queued_ms: 0,
  } as const;
  return { ...common, hook: name, duration_ms, timeout_ms: 5000, exit: 0, outcome: "ok", bytes: 0, ...fields };
}

function event(elapsed_ms: number): EventRecord {
  const common = {
    kind: "event",
    ts: NOW - 1000,
    run: "r1",
    session: "s",
    event: "Stop",
    hooks: 3,
    stages: 2,
  } as const;
  return { ...common, elapsed_ms, critical_path_ms: 90, serial_sum_ms: 200, saved_ms: 200 - elapsed_ms };
}

describe("the weekly report", () => {
  it("M-03 has n, mean, p50, p95, max, failures and timeouts per hook, the slowest first", () => {
    const durations = Array.from({ length: 100 }, (_, i) => i + 1);
    const records = [
      ...durations.map((ms) => hook("many", ms)),
      hook("few", 400, { outcome: "timeout", exit: null }),
      hook("few", 200, { outcome: "failed", exit: 1 }),
      hook("few", 300, { outcome: "block", exit: 2 }),
    ];
    const { hooks } = timingReport({ records, corruptLines: 0 }, new Map(), NOW - WEEK_MS, NOW);
    const shown = hooks.map((h) => [h.hook, h.n, h.meanMs, h.p50Ms, h.p95Ms, h.maxMs, h.failures, h.timeouts]);
    assert.deepEqual(shown, [
      ["few", 3, 300, 300, 400, 400, 1, 1],
      ["many", 100, 50.5, 50, 95, 100, 0, 0],
    ]);
  });

  it("does not send a hook that never came to its end to a trace, which could not watch it either", () => {
    const staging = stageHooks([hookOf("hangs")], { projectDir: "/p", home: "/h" });
    const records = [hook("hangs", 5000, { outcome: "timeout" }), event(5000)];
    const report = timingReport({ records, corruptLines: 0 }, new Map([["Stop", staging]]), NOW - WEEK_MS, NOW);
    assert.match(reportText(report), /Stop: hangs is not declared and runs alone; declare yourself what it reads and/);
  });

  it("M-03 says what each conflict costs and what to do about slow, failing and undeclared hooks", () => {
    const staging = stageHooks(
      [declared("init", [], ["s.json"]), declared("show", ["s.json"], []), declared("pure", [], []), hookOf("mystery")],
      { projectDir: "/p", home: "/h" },
    );
    const records = [
      hook("init", 50),
      hook("show", 40),
      hook("pure", 30),
      hook("mystery", 4900),
      hook("mystery", 4500, { outcome: "timeout" }),
      event(95),
    ];
    const report = timingReport({ records, corruptLines: 2 }, new Map([["Stop", staging]]), NOW - WEEK_MS, NOW);
    assert.deepEqual(
      report.events[0].conflicts.map(({ cause, costMs }) => [cause, costMs]),
      [
        ["mystery running alone", 50],
        ["show waiting for init (s.json)", 40],
      ],
    );
    const text = reportText(report);
    assert.match(text, /Stop: show waiting for init \(s\.json\) costs about 40 ms per event/);
    assert.match(text, /Stop: mystery comes near its timeout \(p95 4900 of 5000 ms\)/);
    assert.match(text, /Stop: mystery failed or timed out in 1 of 2 runs/);
    assert.match(text, /Stop: mystery is not declared and runs alone; "coppice hooks trace Stop"/);
    assert.match(text, /2 damaged lines were skipped/);
    assert.match(text, /^Stop +1 +95\.0 +90\.0 +200\.0 +105\.0$/m);
  });

  it("M-03 never advises to send a guard into the background, which may be silent because it was never needed", () => {
    const adviceFor = (event: string): readonly string[] => {
      const staging = stageHooks([{ ...declared("quiet", [], []), event }], { projectDir: "/p", home: "/h" });
      const read = { records: [hook("quiet", 400, { event })], corruptLines: 0 };
      return timingReport(read, new Map([[event, staging]]), NOW - WEEK_MS, NOW).suggestions;
    };
    assert.match(adviceFor("PostToolUse")[0], /quiet takes 400 ms .*; unless it is there to block, "background": true/);
    for (const event of ["PreToolUse", "PermissionRequest", "UserPromptSubmit"])
      assert.deepEqual(adviceFor(event), [`${event}: quiet is slow (mean 400 ms)`]);
  });

  it("M-05 skips damaged lines and counts them, and leaves out what is older", () => {
    using project = new TemporaryProject();
    const dir = `${project.dir}/.coppice/hooks`;
    appendRecords(dir, [hook("old", 1, { ts: NOW - 2 * WEEK_MS })]);
    appendRecords(dir, [hook("new", 1), event(5)]);
    const lines = ['{"kind":"hook","ts":1', "garbage", '{"kind":"hook","ts":"x"}', ""];
    project.write(".coppice/hooks/timing-2026-11-09.1.jsonl", lines.join("\n"));
    project.write(".coppice/hooks/background.log", "not a record\n");
    const { records, corruptLines } = readRecords(dir, NOW - WEEK_MS);
    assert.deepEqual(
      records.map((record) => record.kind === "hook" && record.hook),
      ["new", false],
    );
    assert.equal(corruptLines, 3);
    assert.deepEqual(readRecords(`${dir}/nowhere`, 0), { records: [], corruptLines: 0 });
  });
});
