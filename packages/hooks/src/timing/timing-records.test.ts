import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { hookOf } from "../../test/hook-of.ts";
import { TemporaryProject } from "../../test/temporary-project.ts";
import type { EventRun, HookTiming } from "../run/run-event.ts";
import { appendRecords, type HookRecord, timingRecords } from "./timing-records.ts";

const DAY_MS = 86_400_000;
const NOON = Date.UTC(2026, 10, 12, 12);

function timing(name: string, stage: number, queuedMs: number, durationMs: number): HookTiming {
  return { hook: hookOf(name), stage, queuedMs, durationMs, ending: { kind: "exited", code: 0 }, outputBytes: 10 };
}

const run: EventRun = {
  answers: [],
  timings: [timing("a", 0, 0, 50), timing("b", 0, 1, 80), timing("c", 1, 81, 20)],
  notStarted: [],
  elapsedMs: 102,
};

describe("timing records", () => {
  it("M-01 has one record per hook, without prompt, input or command line", () => {
    const [record] = timingRecords("Stop", "s1", NOON, run) as HookRecord[];
    const { run: id, ...rest } = record;
    assert.match(id, /^[a-z\d]+-[a-z\d]+$/);
    assert.deepEqual(rest, {
      kind: "hook",
      ts: NOON,
      session: "s1",
      event: "Stop",
      hook: "a",
      stage: 1,
      queued_ms: 0,
      duration_ms: 50,
      timeout_ms: 5000,
      exit: 0,
      outcome: "ok",
      bytes: 10,
    });
  });

  it("M-01 says how hooks ended", () => {
    const endings = [
      { kind: "exited", code: 2 },
      { kind: "exited", code: 1 },
      { kind: "timeout", timeoutMs: 5000 },
      { kind: "signalled", signal: "SIGKILL" },
      { kind: "unstartable", code: 127, reason: "x" },
    ] as const;
    const timings = endings.map((ending) => ({ ...timing("a", 0, 0, 1), ending }));
    const records = timingRecords("Stop", "s1", NOON, { ...run, timings }).slice(0, -1) as HookRecord[];
    assert.deepEqual(
      records.map(({ outcome, exit }) => [outcome, exit]),
      [
        ["block", 2],
        ["failed", 1],
        ["timeout", null],
        ["signalled", null],
        ["unstartable", 127],
      ],
    );
  });

  it("M-02 has one record per event with critical path, serial sum and what was saved", () => {
    const record = timingRecords("Stop", "s1", NOON, run).at(-1);
    assert.ok(record?.kind === "event");
    assert.deepEqual(
      [record.hooks, record.stages, record.critical_path_ms, record.serial_sum_ms, record.elapsed_ms, record.saved_ms],
      [3, 2, 100, 150, 102, 48],
    );
  });

  it("M-04 starts a file each week, puts large ones aside and throws old ones away", () => {
    using project = new TemporaryProject();
    const dir = join(project.dir, ".coppice/hooks");
    const records = timingRecords("Stop", "s1", NOON, run);
    const rotation = { maxBytes: 1000, keepDays: 14 };
    for (const file of ["timing-2026-10-05.jsonl", "timing-2026-11-02.jsonl", "notes.txt"]) {
      project.write(`.coppice/hooks/${file}`, "\n");
    }
    for (let i = 0; i < 3; i++) assert.equal(appendRecords(dir, records, rotation), undefined);
    appendRecords(dir, timingRecords("Stop", "s1", NOON + 4 * DAY_MS, run), rotation);
    assert.deepEqual(readdirSync(dir).sort(), [
      ".gitignore",
      "notes.txt",
      "timing-2026-11-02.jsonl",
      "timing-2026-11-09.1.jsonl",
      "timing-2026-11-09.jsonl",
      "timing-2026-11-16.jsonl",
    ]);
    assert.equal(readFileSync(join(dir, ".gitignore"), "utf8"), "*\n");
  });

  it("M-06 does not hinder the hooks when nothing can be recorded", async () => {
    using project = new TemporaryProject();
    project.configure("UserPromptSubmit", [{ command: "echo fine" }], { lock: false });
    project.write(".coppice", "a file where a directory should be");
    const { exitCode, json } = await project.answer("UserPromptSubmit");
    assert.equal(exitCode, 0);
    assert.equal(json.hookSpecificOutput?.additionalContext, "fine");
    rmSync(join(project.dir, ".coppice"));
    await project.answer("UserPromptSubmit", { prompt: "secret words" });
    const files = readdirSync(join(project.dir, ".coppice/hooks")).filter((name) => name.endsWith(".jsonl"));
    assert.equal(files.length, 1);
    assert.doesNotMatch(project.read(`.coppice/hooks/${files[0]}`), /secret/);
  });

  it("M-06 H-21 goes on without a lock when there is no place for one, and says so", async () => {
    using project = new TemporaryProject();
    project.configure("UserPromptSubmit", [{ command: "echo fine" }]);
    project.write(".coppice", "a file where a directory should be");
    const { json } = await project.answer("UserPromptSubmit");
    assert.equal(json.hookSpecificOutput?.additionalContext, "fine");
    assert.match(String(json.systemMessage), /^hooks ran without the session's lock: /);
  });
});
