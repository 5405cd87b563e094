import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { after, test } from "node:test";
import { askPerson } from "./ask-person.ts";
import { searchCode } from "./search-code.ts";

const signal = new AbortController().signal;
const folder = mkdtempSync(join(tmpdir(), "coppice-look-up-"));
after(() => rmSync(folder, { recursive: true }));

function project(name: string, files: Readonly<Record<string, string | Buffer>>): string {
  const root = join(folder, name);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

const files = {
  "src/b.ts": "one\nconst RetryDelay = 2;\n",
  "src/a.ts": "retrydelay\n",
  "node_modules/x/index.js": "retryDelay",
  ".env": "retryDelay=secret",
  "image.bin": Buffer.from([0, 1, 2, ...Buffer.from("retryDelay")]),
};

test("C-09: code is searched in the order of paths, without hidden, installed and binary files", async () => {
  const { lines, files: count } = await searchCode(project("plain", files), ["retryDelay"], signal);
  assert.deepEqual(lines, ["src/a.ts:1: retrydelay", "src/b.ts:2: const RetryDelay = 2;"]);
  assert.equal(count, 2);
});

test("C-09: in a repository only what git tracks is searched", async () => {
  const root = project("tracked", files);
  execFileSync("git", ["init", "-q"], { cwd: root });
  execFileSync("git", ["add", "src/a.ts", ".env"], { cwd: root });
  assert.deepEqual((await searchCode(root, ["retryDelay"], signal)).lines, ["src/a.ts:1: retrydelay"]);
});

test("C-09: at most ten lines come back, and nothing found is no answer", async () => {
  const root = project("many", { "a.txt": "match\n".repeat(100) });
  assert.equal((await searchCode(root, ["match"], signal)).lines.length, 10);
  assert.deepEqual(await searchCode(root, ["absent"], signal), { lines: [], files: 0 });
});

test("what a link leads to outside of the project, or to what is hidden in it, is not found", async () => {
  const secret = join(folder, "secret.txt");
  writeFileSync(secret, "retryDelay = the key\n");
  for (const tracked of [true, false]) {
    const root = project(`linked-${tracked}`, { "src/a.ts": "retryDelay\n", ".env": "retryDelay=secret" });
    symlinkSync(secret, join(root, "notes.txt"));
    symlinkSync(".env", join(root, "settings.txt"));
    symlinkSync("src/a.ts", join(root, "b.ts"));
    if (tracked) {
      execFileSync("git", ["init", "-q"], { cwd: root });
      execFileSync("git", ["add", "--all"], { cwd: root });
    }
    const { lines } = await searchCode(root, ["retryDelay"], signal);
    assert.doesNotMatch(lines.join("\n"), /key|secret/);
    assert.ok(lines.includes("src/a.ts:1: retryDelay"));
  }
});

test("a project's own git settings run nothing", async () => {
  const root = project("monitored", { "a.ts": "retryDelay\n" });
  execFileSync("git", ["init", "-q"], { cwd: root });
  execFileSync("git", ["add", "--all"], { cwd: root });
  const script = join(root, "monitor.sh");
  writeFileSync(script, `#!/bin/sh\ntouch '${root}/ran'\n`, { mode: 0o755 });
  execFileSync("git", ["config", "core.fsmonitor", script], { cwd: root });
  await searchCode(root, ["retryDelay"], signal);
  assert.equal(existsSync(join(root, "ran")), false);
});

function terminal(isTTY = true) {
  const input = Object.assign(new PassThrough(), { isTTY });
  const output = new PassThrough();
  return { input, output, shown: () => String(output.read() ?? "") };
}

test("C-09: the person at a terminal is asked, and an empty line skips the question", async () => {
  const person = terminal();
  const first = askPerson("Which? ", person, { timeoutMs: 5000, signal });
  const second = askPerson("Sure? ", person, { timeoutMs: 5000, signal });
  setTimeout(() => person.input.write("the blue one\n"), 10);
  assert.deepEqual(await first, { answer: "the blue one", from: "the user" });
  setTimeout(() => person.input.write("\n"), 10);
  assert.deepEqual(await second, { answer: null, from: "skipped" });
  assert.match(person.shown(), /Which\?.*Sure\?/s);
});

test("C-09: without a terminal a question is skipped at once, with one it is given up after a while", async () => {
  const limits = { timeoutMs: 30, signal };
  assert.deepEqual(await askPerson("?", terminal(false), limits), { answer: null, from: "nobody at a terminal" });
  assert.deepEqual(await askPerson("?", terminal(), limits), { answer: null, from: "no answer within 0 s" });
});

test("C-09: a council that ends takes its question back", async () => {
  const ended = new AbortController();
  const asked = askPerson("?", terminal(), { timeoutMs: 60_000, signal: ended.signal });
  setTimeout(() => ended.abort(new Error("over")), 10);
  await assert.rejects(asked);
});
