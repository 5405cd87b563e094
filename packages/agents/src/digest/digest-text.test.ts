import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { checkCitations } from "./citations.ts";
import { CUT_MARK, shorten, wordsIn } from "./shorten.ts";
import { fileParts, linesOf } from "./source-file.ts";

test("X-02: a summary never has more lines or words than allowed, and a cut one says so", () => {
  const limits = { maxLines: 5, maxWords: 20 };
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.string({ minLength: 1, maxLength: 6 }), { maxLength: 9 }), { maxLength: 9 }),
      (rows) => {
        const text = rows.map((row) => row.join(" ")).join("\n");
        const short = shorten(text, limits);
        assert.ok(short.text.split("\n").length <= limits.maxLines);
        assert.ok(wordsIn(short.text) <= limits.maxWords, short.text);
        assert.equal(short.text.endsWith(CUT_MARK), short.cut);
      },
    ),
  );
});

test("X-02: what fits is left as it is", () => {
  assert.deepEqual(shorten("one\ntwo three\n", { maxLines: 2, maxWords: 3 }), { text: "one\ntwo three", cut: false });
  assert.deepEqual(shorten("a b c d e", { maxLines: 2, maxWords: 4 }), { text: "a b [… cut]", cut: true });
});

test("X-04: parts hold every line once, in order, behind its number", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ maxLength: 30 }), { maxLength: 60 }),
      fc.integer({ min: 10, max: 200 }),
      (lines, size) => {
        const parts = fileParts(lines, size);
        const numbered = parts.flatMap(({ text }) => text.split(/\n(?=\d+: )/));
        assert.equal(parts.at(-1)?.to ?? 0, lines.length);
        for (const [i, { from }] of parts.entries()) assert.equal(from, (parts[i - 1]?.to ?? 0) + 1);
        for (const { text, from, to } of parts) assert.ok(text.length <= size || from === to);
        if (lines.every((line) => !/[\n\r]/.test(line) && !/^\d+: /.test(line)))
          assert.equal(numbered.length, lines.length);
      },
    ),
  );
});

test("lines are counted as editors count them", () => {
  assert.deepEqual(
    [linesOf(""), linesOf("a"), linesOf("a\n"), linesOf("a\r\nb\rc\n\n")],
    [[], ["a"], ["a"], ["a", "b", "c", ""]],
  );
});

test("X-10: citations are kept when file and line exist, removed and counted when they do not", () => {
  const text = "Parsed in src/a.ts:3 and a.ts:2-4 (see src/a.ts:99, src/b.ts:1). Ends `src/a.ts:0` [x/y.md:7] here.";
  const { text: checked, kept, removed } = checkCitations(text, "src/a.ts", 10);
  assert.equal(checked, "Parsed in src/a.ts:3 and src/a.ts:2-4. Ends here.");
  assert.equal(kept, 2);
  assert.deepEqual(removed, ["src/a.ts:99", "src/b.ts:1", "src/a.ts:0", "x/y.md:7"]);
});

test("X-10: times, ports and ratios are no citations", () => {
  const text = "At 12:30 the server localhost:8080 answers 3:1 (see note:5), as does http://example.org:80/x.";
  assert.deepEqual(checkCitations(text, "src/a.ts", 10), { text, kept: 0, removed: [] });
});

test("X-10: a file without an ending is cited like any other", () => {
  assert.deepEqual(checkCitations("Makefile:2 and Makefile:20", "Makefile", 5).removed, ["Makefile:20"]);
});

test("X-10: paths may be absolute or hold spaces", () => {
  assert.equal(checkCitations("/home/a.ts:1, /home/a.ts:9", "/home/a.ts", 5).text, "/home/a.ts:1,");
  assert.deepEqual(checkCitations("in my file.ts:1 or my file.ts:7", "my file.ts", 5).removed, ["my file.ts:7"]);
});
