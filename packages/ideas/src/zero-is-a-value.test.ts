import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

/** Names that hold a number for which 0 is an ordinary value, alone or as a field. */
const NUMBER = String.raw`(?:\w+\??\.)*(?:depth|currentDepth|maxDepth|attempt|round|rank|rankScore|score|primaryDelta|wave|ask|exitCode|limit|money|tokens)\b(?!\.|\()`;
/** Where an operand begins. */
const BEGIN = String.raw`(?:^\s*|[(,?:]\s*|(?<![=!<>])=\s*|return\s+|&&\s*|\|\|\s*)`;

/** Ways to ask whether such a name is truthy: `depth ||`, `!depth`, `if (depth)`, `depth ? a : b`, `depth && x`. */
const truthy = [
  new RegExp(String.raw`${BEGIN}${NUMBER}\s*(?:\|\||&&)`),
  new RegExp(`${BEGIN}!${NUMBER}`),
  new RegExp(String.raw`\bif \(${NUMBER}\)`),
  new RegExp(String.raw`${BEGIN}${NUMBER}\s+\?\s[^?]`),
];

test("T-42: no depth, attempt, rank or score is tested for truthiness anywhere", () => {
  const folder = fileURLToPath(new URL(".", import.meta.url));
  const files = globSync("**/*.ts", { cwd: folder }).filter((name) => !name.endsWith(".test.ts"));
  assert.ok(files.length > 40);
  const found = files.flatMap((name) =>
    readFileSync(`${folder}/${name}`, "utf8")
      .split("\n")
      .flatMap((line, i) => (truthy.some((pattern) => pattern.test(line)) ? [`${name}:${i + 1}: ${line.trim()}`] : [])),
  );
  assert.deepEqual(found, []);
});

test("T-42: the patterns find what they are for", () => {
  for (const line of [
    "const d = depth || -1;",
    "if (task.depth) go();",
    "if (!depth) stop();",
    "const t = (rank ? 1 : 2);",
    "return score && 1;",
  ]) {
    assert.ok(
      truthy.some((pattern) => pattern.test(line)),
      line,
    );
  }
  for (const line of [
    "depth ?? -1",
    "if (depth === 0) go();",
    "readonly depth?: number;",
    "rank !== null && rank < 3",
  ]) {
    assert.ok(!truthy.some((pattern) => pattern.test(line)), line);
  }
});
