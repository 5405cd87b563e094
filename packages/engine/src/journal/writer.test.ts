import assert from "node:assert/strict";
import fs, { mkdtempSync, rmSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { type Durability, JournalWriter } from "./writer.ts";

/** A journal whose syncs are counted; `complete` lets the one in flight end. */
function watched(t: TestContext, durable: Durability) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const directory = mkdtempSync(join(tmpdir(), "coppice-writer-"));
  const inFlight: ((error: Error | null) => void)[] = [];
  const later = t.mock.method(fs, "fdatasync", (_fd: number, done: (error: Error | null) => void) => {
    inFlight.push(done);
  });
  const atOnce = t.mock.method(fs, "fdatasyncSync");
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
    rmSync(directory, { recursive: true, force: true });
  });
  return {
    writer: new JournalWriter(join(directory, "journal.ndjson"), 0, durable),
    syncs: () => [later.mock.callCount(), atOnce.mock.callCount()],
    complete: (error: Error | null = null) => inFlight.shift()?.(error),
  };
}

describe("the journal's syncs", () => {
  it("come once within 50 ms for everything written meanwhile", (t) => {
    const { writer, syncs, complete } = watched(t, "grouped");
    for (let i = 0; i < 10; i++) {
      writer.append(`{"i":${i}}`);
      writer.write();
    }
    assert.deepEqual(syncs(), [0, 0]);
    t.mock.timers.tick(50);
    assert.deepEqual(syncs(), [1, 0]);
    writer.append('{"i":10}'); // written while the first is in flight: not covered by it
    writer.write();
    complete();
    t.mock.timers.tick(50);
    assert.deepEqual(syncs(), [2, 0]);
    complete();
    t.mock.timers.tick(500);
    assert.deepEqual(syncs(), [2, 0]);
    writer.close();
  });

  it("come before each write returns when strict", (t) => {
    const { writer, syncs } = watched(t, "strict");
    for (let i = 1; i <= 3; i++) {
      writer.append("{}");
      writer.write();
      assert.deepEqual(syncs(), [0, i]);
    }
    writer.close();
  });

  it("are waited for at the end, even when one is in flight", (t) => {
    const { writer, syncs, complete } = watched(t, "grouped");
    writer.append("{}");
    writer.write();
    t.mock.timers.tick(50);
    writer.close();
    assert.deepEqual(syncs(), [1, 1]);
    complete();
  });

  it("that fail end the run at its next write", (t) => {
    const { writer, complete } = watched(t, "grouped");
    writer.append("{}");
    writer.write();
    t.mock.timers.tick(50);
    complete(new Error("no such device"));
    writer.append("{}");
    assert.throws(() => writer.write(), /cannot write .*journal.ndjson: no such device; what is finished is kept/);
  });
});
