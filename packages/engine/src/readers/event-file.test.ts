import assert from "node:assert/strict";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import type { RunEvent } from "../contract/event.ts";
import type { LinesRead } from "../journal/reader.ts";
import { EVENTS_NAME, EventFile, readEvents } from "./event-file.ts";

const ready: RunEvent = { type: "worker", at: 1, identity: { worker: 0, pid: 12, pidStart: "3" }, state: "ready" };
const told = (count: number): RunEvent => ({
  type: "told",
  at: count,
  asked: count,
  told: count,
  search: { best: 1 / count },
});

function place(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), "coppice-events-"));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

function read(directory: string, earlier?: LinesRead): { readonly events: RunEvent[]; readonly size: LinesRead } {
  const events: RunEvent[] = [];
  return { size: readEvents(directory, (event) => events.push(event), earlier), events };
}

describe("events on disk", () => {
  it("come back exactly, those that are new", async (t) => {
    const directory = place(t);
    const odd: RunEvent = { type: "told", at: 2, asked: 3, told: 2, search: { best: Number.NEGATIVE_INFINITY } };
    const file = new EventFile(directory);
    file.see(ready);
    file.see(odd);
    const first = read(directory);
    assert.deepEqual(first.events, [ready, odd]);
    file.see({ ...ready, at: 3, state: "ended", reason: "the pool closed" });
    await file.close();
    assert.deepEqual(
      read(directory, first.size).events.map(({ at }) => at),
      [3],
    );
  });

  it("are left out when nobody would read them, and say so", async (t) => {
    const directory = place(t);
    const file = new EventFile(directory);
    file.see({ ...told(1), news: [{ kind: "n".repeat(2_000_000) }] } as RunEvent);
    await file.close();
    const [note] = read(directory).events;
    assert.ok(note.type === "note" && /^an event "told" of 2\d{6} characters was left out/.test(note.message));
  });

  it("tell everything that happened in a search, however rarely they are written", async (t) => {
    const directory = place(t);
    const file = new EventFile(directory);
    for (let count = 1; count <= 100; count++) file.see({ ...told(count), news: [{ kind: `n${count}` }] } as RunEvent);
    await file.close();
    const { events } = read(directory);
    assert.ok(events.length < 100);
    const news = events.flatMap((event) => (event.type === "told" ? (event.news ?? []) : []));
    assert.deepEqual(
      news.map(({ kind }) => kind),
      Array.from({ length: 100 }, (_, i) => `n${i + 1}`),
    );
  });

  it("wait for the end of a line that is being written", (t) => {
    const directory = place(t);
    const line = `${JSON.stringify(ready)}\n`;
    writeFileSync(join(directory, EVENTS_NAME), line + line.slice(0, 20));
    const first = read(directory);
    assert.deepEqual(first.events, [ready]);
    appendFileSync(join(directory, EVENTS_NAME), line.slice(20));
    assert.deepEqual(read(directory, first.size).events, [ready]);
  });

  it("of a session that was cut off in the middle of a line are followed by those of the next", async (t) => {
    const directory = place(t);
    writeFileSync(join(directory, EVENTS_NAME), `${JSON.stringify(ready)}\n{"type":"worker","at":2`);
    const file = new EventFile(directory);
    file.see({ ...ready, at: 3 });
    await file.close();
    assert.deepEqual(
      read(directory).events.map(({ at }) => at),
      [1, 3],
    );
  });

  it("leave out lines that are none", (t) => {
    const directory = place(t);
    const wrong = [
      "not json",
      "{}",
      "null",
      "3",
      '{"type":"told"}',
      '{"type":"told","at":"now"}',
      '{"type":"joke","at":1}',
    ];
    writeFileSync(join(directory, EVENTS_NAME), `${wrong.join("\n")}\n${JSON.stringify(ready)}\n`);
    assert.deepEqual(read(directory).events, [ready]);
  });

  it("have the last of what changes all the time, and not all of it", async (t) => {
    const directory = place(t);
    const file = new EventFile(directory);
    for (let count = 1; count <= 10_000; count++) {
      file.see(told(count));
      file.see({ type: "progress", at: count, ask: count % 3, progress: { done: count, total: 10_000 } });
      file.see({ type: "timers", at: count, worker: 0, totals: { plan: { ms: 2, selfMs: 1, count: 1 } } });
    }
    file.see({ type: "completed", at: 10_001, ask: 1, key: "a", worker: 0, elapsedMs: 1, from: "worker" });
    await file.close();
    const { events } = read(directory);
    assert.ok(events.length < 100, `${events.length}`);
    const last = (type: RunEvent["type"]) => events.filter((event) => event.type === type);
    assert.deepEqual(last("told").at(-1), told(10_000));
    assert.deepEqual(
      last("progress")
        .slice(-2)
        .map((event) => "ask" in event && event.ask),
      [0, 2].reverse(),
    );
    const counted = last("timers").reduce(
      (sum, event) => sum + (event.type === "timers" ? event.totals.plan.count : 0),
      0,
    );
    assert.equal(counted, 10_000);
  });

  it("are bounded, and say so", async (t) => {
    const directory = place(t);
    for (let session = 0; session < 3; session++) {
      const file = new EventFile(directory, 2000);
      for (let at = 0; at < 50; at++) file.see({ ...ready, at });
      await file.close();
    }
    assert.ok(statSync(join(directory, EVENTS_NAME)).size < 2500);
    const notes = read(directory).events.filter(({ type }) => type === "note");
    assert.equal(notes.length, 1);
    assert.match(JSON.stringify(notes[0]), /events\.ndjson is full/);
  });

  it("do not bring a removed run back, nor hold one up that cannot say what it is", async (t) => {
    const directory = place(t);
    const gone = new EventFile(join(directory, "gone"));
    gone.see(ready);
    await gone.close();
    assert.equal(existsSync(join(directory, "gone")), false);
    const file = new EventFile(directory);
    // Cast: a search may say anything at run time.
    file.see({ ...told(1), search: { best: (() => 1) as unknown as number } } as RunEvent);
    file.see(ready);
    await file.close();
    assert.equal(readFileSync(join(directory, EVENTS_NAME), "utf8"), `${JSON.stringify(ready)}\n`);
  });
});
