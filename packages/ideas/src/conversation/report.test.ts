import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { parseReport, readReport } from "./report.ts";

test("a report is one object or one per line; fields of the generator's own are its own", () => {
  assert.deepEqual(
    parseReport('{"session_id":"s1","turns":[{"prompt":"p","reply":"r","idea":"a.md","cost":3},{"x":1}]}'),
    {
      kind: "said",
      sessionId: "s1",
      entries: [{ prompt: "p", reply: "r", idea: "a.md" }],
    },
  );
  const lines = '{"session_id":"s1"}\n\n{"reply":"one"}\r\n{"reply":"two","session_id":"s2"}\n';
  assert.deepEqual(parseReport(lines), {
    kind: "said",
    sessionId: "s2",
    entries: [{ reply: "one" }, { reply: "two" }],
  });
  assert.deepEqual(parseReport(" \n"), { kind: "nothing" });
});

test("what cannot be a report is said to be so, with the line", () => {
  const wrong: Readonly<Record<string, string>> = {
    '{"reply":"cut o': "line 1 is not a JSON object",
    '{"reply":"a"}\nbang\n': "line 2 is not a JSON object",
    "[1]": "it is not a JSON object",
    '{"turns":3}': "it: turns is not a list",
    '{"turns":[{"reply":"a"},{"reply":4}]}': "it: turn 2: reply is not a text",
    '{"session_id":""}': "it: session_id is not a text of 1 to 1000 characters",
  };
  for (const [text, reason] of Object.entries(wrong)) assert.deepEqual(parseReport(text), { kind: "broken", reason });
});

test("a report of gigabytes, or one that is no file, is not even read", () => {
  const folder = mkdtempSync(join(tmpdir(), "coppice-report-"));
  try {
    const path = join(folder, "out.json");
    assert.deepEqual(readReport(path), { kind: "nothing" });
    writeFileSync(path, "");
    truncateSync(path, 5 * 1024 ** 3);
    assert.deepEqual(readReport(path), {
      kind: "broken",
      reason: "it has 5368709120 bytes; a conversation has at most 8388608",
    });
    mkdirSync(join(folder, "folder"));
    assert.deepEqual(readReport(join(folder, "folder")), { kind: "broken", reason: "it is not a regular file" });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
