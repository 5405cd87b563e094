import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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
