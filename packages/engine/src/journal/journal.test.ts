import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import fc from "fast-check";
import { completedBody, failedBody, type JournalEntry, plainBody, queuedBody, startedBody } from "./entry.ts";
import { readHistory } from "./history.ts";
import { seal } from "./line.ts";
import { JournalDamaged, readJournal } from "./reader.ts";
import { JournalWriter } from "./writer.ts";

const directory = mkdtempSync(join(tmpdir(), "coppice-journal-"));
after(() => rmSync(directory, { recursive: true, force: true }));

const task = { at: 5, ask: 3, key: 'k"3', attempt: 0, worker: 1, ms: 1.25 };
const detail = { timedOut: false, workerLost: false, stack: ',"failure":{"no":1}' };

function sample(): string[] {
  return [
    plainBody({ type: "run", event: "opened", at: 1, pid: 2, pidStart: "3", node: "v24", runToken: "t" }),
    queuedBody(1, 0, [
      ["a", "h0"],
      ["b", "h1"],
      ["ü \n", "h2"],
    ]),
    startedBody(2, { worker: 0, pid: 7, pidStart: "99" }, [0, 1]),
    completedBody({ ...task, ask: 0, key: "a" }, "worker", '{"x":1,"value":[2]}'),
    failedBody({ ...task, ask: 1, key: "b" }, false, true, detail, '{"type":"Error","message":"no"}'),
    plainBody({ type: "cancelled", at: 3, ask: 2, reason: "withdrawn" }),
    plainBody({ type: "run", event: "finished", at: 4, tells: 2, digest: "d", reproducible: { from: "seed" } }),
  ];
}

function write(path: string, bodies: readonly string[]): void {
  const writer = new JournalWriter(path, 0, "grouped");
  for (const body of bodies) writer.append(body);
  writer.close();
}

function entries(path: string): JournalEntry[] {
  const all: JournalEntry[] = [];
  readJournal(path, (entry) => all.push(entry));
  return all;
}

describe("journal", () => {
  it("gives back what was written, outcomes verbatim", () => {
    const path = join(directory, "round-trip");
    write(path, sample());
    const [, , , completed, failed] = entries(path);
    assert.ok(completed?.type === "completed" && failed?.type === "failed");
    assert.equal(completed.value, '{"x":1,"value":[2]}');
    assert.equal(failed.failure, '{"type":"Error","message":"no"}');
    assert.deepEqual(failed.detail, detail);
  });

  it("gives back any failure and value, whatever fields an error's own data has", () => {
    const path = join(directory, "any-data");
    const name = fc.oneof(fc.constantFrom("failure", "value", "type", "detail", '","failure":'), fc.string());
    const { json } = fc.letrec<{ json: unknown }>((tie) => ({
      json: fc.oneof(
        { maxDepth: 4 },
        fc.oneof(fc.string(), fc.constant('{"failure":"x"},"failure":'), fc.integer(), fc.boolean(), fc.constant(null)),
        fc.array(tie("json"), { maxLength: 3 }),
        fc.dictionary(name, tie("json"), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(json, name, (data, text) => {
        rmSync(path, { force: true });
        const failure = JSON.stringify({ type: text, message: `,"failure":${text}` });
        const value = JSON.stringify({ value: data, failure: data });
        const told = { ...task, key: `,"failure":${text}` };
        write(path, [
          failedBody(told, false, true, { timedOut: false, workerLost: false, data }, failure),
          completedBody(told, "worker", value),
        ]);
        const [failed, completed] = entries(path);
        assert.ok(failed?.type === "failed" && completed?.type === "completed");
        assert.equal(failed.failure, failure);
        assert.equal(JSON.stringify(failed.detail.data), JSON.stringify(data));
        assert.equal(completed.value, value);
        assert.equal(completed.key, told.key);
      }),
    );
  });

  it("keeps any key and any encoded value, whatever they look like", () => {
    const path = join(directory, "any");
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(',"value":', '","value":1,"', "\n", "\\", '{"crc":"'),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(text, fc.json()), { maxLength: 20 }), (pairs) => {
        write(
          path,
          pairs.map(([key, value]) => completedBody({ ...task, key }, "worker", JSON.stringify(JSON.parse(value)))),
        );
        assert.deepEqual(
          entries(path).map((entry) => (entry.type === "completed" ? [entry.key, entry.value] : [])),
          pairs.map(([key, value]) => [key, JSON.stringify(JSON.parse(value))]),
        );
      }),
      { numRuns: 200 },
    );
  });

  it("recovers exactly the complete lines when cut at any byte", () => {
    const path = join(directory, "cut");
    write(path, sample());
    const bytes = readFileSync(path);
    const whole = entries(path);
    const ends = [...bytes.entries()].filter(([, byte]) => byte === 0x0a).map(([at]) => at + 1);
    for (let length = 0; length <= bytes.length; length++) {
      writeFileSync(path, bytes.subarray(0, length));
      const complete = ends.filter((end) => end <= length);
      const goodBytes = complete.at(-1) ?? 0;
      const found: JournalEntry[] = [];
      const size = readJournal(path, (entry) => found.push(entry));
      assert.deepEqual(size, { lines: complete.length, goodBytes, tornBytes: length - goodBytes });
      assert.deepEqual(found, whole.slice(0, complete.length));
      // Opening for writing cuts the torn line off and goes on after the last whole one.
      const writer = new JournalWriter(path, size.goodBytes, "grouped");
      writer.append(queuedBody(9, 9, [["z", "h"]]));
      writer.close();
      assert.equal(entries(path).length, complete.length + 1);
    }
  });

  it("names the line in which any byte was flipped", () => {
    const path = join(directory, "flipped");
    write(path, sample());
    const bytes = readFileSync(path);
    let line = 1;
    for (const [at, byte] of bytes.subarray(0, -1).entries()) {
      const damaged = Buffer.from(bytes);
      damaged[at] = byte ^ 0x01;
      writeFileSync(path, damaged);
      // A newline that is gone joins two lines, which is damage of the first of them.
      assert.throws(
        () => readHistory(path),
        (error) => error instanceof JournalDamaged && error.line === line,
        `byte ${at}`,
      );
      if (byte === 0x0a) line++;
    }
  });

  it("cuts off an end whose sectors were written in any order, and no more", () => {
    const path = join(directory, "hole");
    const body = (n: number, at: number) => completedBody({ ...task, at, ask: n, key: `k${n}` }, "worker", `${n}`);
    const lines = Array.from({ length: 60 }, (_, n) => seal(body(n, n)));
    const whole = Buffer.from(lines.join(""));
    const firsts = lines.map((_, n) => Buffer.byteLength(lines.slice(0, n).join("")));
    for (let hole = 512; hole + 512 < whole.length; hole += 512) {
      const bytes = Buffer.from(whole);
      bytes.fill(0, hole, hole + 512);
      writeFileSync(path, bytes);
      const good = firsts.findLastIndex((first) => first <= hole);
      const seen: JournalEntry[] = [];
      const read = readJournal(path, (entry) => seen.push(entry));
      assert.equal(seen.length, good);
      assert.deepEqual(read, { lines: good, goodBytes: firsts[good], tornBytes: whole.length - firsts[good] });
    }
    // More than a slow disk's delay was written after it: that is damage, and one sector is not worth the rest.
    const spread = Buffer.from(Array.from({ length: 60 }, (_, n) => seal(body(n, n * 1000))).join(""));
    spread.fill(0, 512, 1024);
    writeFileSync(path, spread);
    assert.throws(() => entries(path), JournalDamaged);
    // Zeros that end nowhere near a sector are no hole.
    const flipped = Buffer.from(whole);
    flipped.fill(0, 600, 610);
    writeFileSync(path, flipped);
    assert.throws(() => entries(path), JournalDamaged);
  });

  it("takes the first outcome of a key and counts attempts that were to be tried again", () => {
    const path = join(directory, "fold");
    const retry = failedBody(
      { ...task, ask: 1, key: "b", attempt: 1 },
      true,
      false,
      detail,
      '{"type":"E","message":"m"}',
    );
    const stopped = failedBody(
      { ...task, ask: 2, key: "c", attempt: 2 },
      false,
      false,
      detail,
      '{"type":"E","message":"m"}',
    );
    write(path, [
      queuedBody(1, 0, [
        ["a", "h"],
        ["b", "h"],
        ["c", "h"],
      ]),
      startedBody(2, { worker: 0, pid: 7, pidStart: "99" }, [0, 1, 2]),
      completedBody({ ...task, ask: 0, key: "a" }, "worker", "1"),
      completedBody({ ...task, ask: 0, key: "a" }, "worker", "2"),
      retry,
      startedBody(2, { worker: 0, pid: 7, pidStart: "99" }, [1]),
      stopped,
    ]);
    const history = readHistory(path);
    assert.equal(history.successes.get("a"), "1");
    assert.deepEqual([...history.attempts], [["b", 2]]);
    assert.deepEqual([...history.unfinished], [[1, { pid: 7, pidStart: "99" }]]);
  });

  it("writes nothing it does not keep when the disk is full", () => {
    // A real limit on file size stands for a full disk: write(2) takes a part and then fails.
    const path = join(directory, "full");
    const child = `
      const { JournalWriter } = await import(${JSON.stringify(new URL("./writer.ts", import.meta.url).href)});
      const writer = new JournalWriter(${JSON.stringify(path)}, 0, "grouped");
      let written = 0;
      try {
        for (;;) { for (let i = 0; i < 9; i++) writer.append('"n":"' + "x".repeat(100) + '"}'); writer.write(); written += 9; }
      } catch (error) { console.log(written, error.name, error.message); process.exit(0); }`;
    const shell = `ulimit -f 16; trap "" XFSZ; exec "$0" --input-type=module -e "$1"`;
    const run = spawnSync("bash", ["-c", shell, process.execPath, child], { encoding: "utf8" });
    const [, written, name] = /^(\d+) (\w+) cannot write/.exec(run.stdout) ?? [];
    assert.equal(name, "JournalWriteError", run.stderr);
    const size = readJournal(path, () => {});
    assert.equal(size.tornBytes, 0);
    assert.equal(size.lines, Number(written));
    assert.ok(size.lines > 0);
  });

  it("puts the checksum where other NDJSON readers do not mind", () => {
    assert.deepEqual(JSON.parse(seal('"a":1}')), { crc: JSON.parse(seal('"a":1}')).crc, a: 1 });
  });
});
