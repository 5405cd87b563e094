import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { DigestResult } from "@coppice/agents/digest";
import { question, type ReceivedCall } from "@coppice/agents/practice-server";
import {
  assertRefused,
  coppice,
  document,
  ended,
  file,
  journaled,
  launch,
  temporaryDirectory,
} from "../../test/coppice.ts";
import { practiceCouncil } from "../../test/practice-council.ts";

const pathIn = (call: ReceivedCall) => /<data-\w+ name="([^"]+)">/.exec(question(call))?.[1] ?? "";

test("X-05: ten files of 1,000 lines come back as summaries with a report, and the second time nobody is asked", async (t) => {
  const { place: directory, server } = await practiceCouncil(
    t,
    (call) => `Holds lines, see ${pathIn(call)}:1000 and no.ts:3.`,
  );
  const names = Array.from({ length: 10 }, (_, i) => `f${i}.ts`);
  for (const name of names) file(directory, name, "const x = 1;\n".repeat(1000));
  // Ten equal files are ten files: only later digests know their content.
  const args = ["digest", ...names, "--question", "What?"];
  const { stdout, code } = await coppice(directory, args);
  assert.equal(code, 0);
  assert.match(stdout, /^## f0\.ts \(1,000 lines\)\nHolds lines, see f0\.ts:1000 and\.\n\n## f1\.ts/);
  assert.match(stdout, /10,000 lines in, 10 lines out: 99\.9 % saved/);
  assert.match(stdout, /10 citations of places that do not exist were removed/);
  assert.equal(server.calls.length, 10);
  const again = document(await coppice(directory, [...args, "--json"])) as unknown as DigestResult;
  assert.deepEqual([again.report.cached, again.report.totals.calls, server.calls.length], [10, 0, 10]);
  await coppice(directory, [...args, "--fresh"]);
  assert.equal(server.calls.length, 20);
});

test("X-06: files that cannot be read are named, the others are summarised", async (t) => {
  const { place: directory } = await practiceCouncil(t, () => "fine");
  file(directory, "a.txt", "text\n");
  file(directory, "empty.txt", "");
  writeFileSync(join(directory, "b.bin"), Buffer.from([0, 1]));
  const { stdout, code } = await coppice(directory, ["digest", "a.txt", "empty.txt", "b.bin", "c.txt"]);
  assert.equal(code, 1, "fewer than half have a summary");
  assert.match(stdout, /## empty\.txt\n\(no summary: empty: there is nothing in it\)/);
  assert.match(stdout, /## b\.bin\n\(no summary: binary: it is not text\)/);
  assert.match(stdout, /## c\.txt\n\(no summary: unreadable: there is no such file\)/);
  assert.equal((await coppice(directory, ["digest", "a.txt", "c.txt"])).code, 0);
});

test("a killed digest is continued without asking again, but not on files that have changed", async (t) => {
  let slow = true;
  const { place: directory, server } = await practiceCouncil(t, (call) =>
    slow && pathIn(call) === "b.txt" ? { kind: "silence" } : `about ${pathIn(call)}`,
  );
  file(directory, "a.txt", "one\n");
  file(directory, "b.txt", "two\n");
  const child = launch(directory, ["digest", "a.txt", "b.txt"], {}, t);
  const over = ended(child);
  await journaled(join(directory, ".coppice/runs/1"), 1);
  child.kill("SIGKILL");
  await over;
  slow = false;
  file(directory, "b.txt", "three\n");
  const changed = await coppice(directory, ["resume", "1"]);
  assert.match(changed.stderr, /input/);
  file(directory, "b.txt", "two\n");
  const before = server.calls.length;
  assert.match((await coppice(directory, ["resume", "1"])).stdout, /about a\.txt[\s\S]*about b\.txt/);
  assert.deepEqual(server.calls.slice(before).map(pathIn), ["b.txt"]);
});

test("what cannot be is refused in one line, before anything is asked or written", async (t) => {
  const { place: directory, server } = await practiceCouncil(t, () => "");
  file(directory, "empty.txt", " \n");
  file(directory, "heavy.txt", "x".repeat(100));
  const refused = async (args: readonly string[], line: RegExp) =>
    assertRefused(await coppice(directory, ["digest", ...args]), line);
  await refused([], /missing required argument/);
  await refused(
    ["empty.txt", "nope.txt"],
    /nothing to read: empty\.txt: there is nothing in it; nope\.txt: there is no such file/,
  );
  await refused(["heavy.txt", "--max-bytes", "10"], /heavy\.txt: 100 bytes; at most 10 are read/);
  await refused(["."], /it is a directory/);
  await refused(["heavy.txt", "--question", " "], /--question is empty/);
  await refused(["heavy.txt", "--max-words", "0"], /max-words/);
  await refused(["heavy.txt", "--model", "nobody"], /no model "nobody"/);
  assert.equal(server.calls.length, 0);
  assert.ok(!existsSync(join(directory, ".coppice")));
});

test("X-08: the hook suggests a digest for a long read, and says nothing to everything else", async (t) => {
  const directory = temporaryDirectory(t);
  const path = file(directory, "long.ts", "x\n".repeat(1500));
  const hook = (input: string) => {
    const child = launch(directory, ["hooks", "suggest-digest"], {}, t, "pipe");
    child.stdin?.end(input);
    return ended(child);
  };
  const read = { hook_event_name: "PreToolUse", tool_name: "Read", tool_input: { file_path: path } };
  const answered = document(await hook(JSON.stringify(read)));
  const { hookEventName, additionalContext } = answered.hookSpecificOutput as Record<string, string>;
  assert.equal(hookEventName, "PreToolUse");
  assert.match(additionalContext ?? "", /1500 lines to read.*coppice digest .*long\.ts --question/);
  for (const input of ["", "not json", JSON.stringify({ ...read, tool_name: "Bash" })]) {
    assert.deepEqual(await hook(input), { code: 0, stdout: "", stderr: "" });
  }
});
