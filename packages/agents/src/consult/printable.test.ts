import assert from "node:assert/strict";
import { test } from "node:test";
import { printable } from "./printable.ts";

test("what models write cannot move the cursor, clear the screen or ring the bell", () => {
  assert.equal(printable("a\u001b[2Jb\u001b]0;title\u0007c\u009b31md\re\u0000"), "a[2Jb]0;titlec31mde");
});

test("lines, tabs, letters of all kinds and our own bold heads stay", () => {
  const text = "\u001b[1mmember\u001b[22m\n\tjudge: žluťoučký 🐴 “ok”";
  assert.equal(printable(text), text);
});
