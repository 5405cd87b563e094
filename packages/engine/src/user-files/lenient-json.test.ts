import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { JsonProblem, readJsonText } from "./lenient-json.ts";

describe("JSON with lines", () => {
  it("reads whatever JSON.parse reads, to the same value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        assert.deepEqual(readJsonText(text).value, JSON.parse(text));
      }),
    );
  });

  it("refuses whatever JSON.parse refuses, unless it is a comment, a trailing comma or a byte-order mark", () => {
    const alphabet = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ":",
      ",",
      '"',
      "a",
      "1",
      "-",
      ".",
      "e",
      "true",
      "null",
      " ",
      "\\u00e9",
      "\\",
    );
    fc.assert(
      fc.property(fc.array(alphabet, { maxLength: 12 }), (parts) => {
        const text = parts.join("");
        const strict = attempt(() => JSON.parse(text));
        const ours = attempt(() => readJsonText(text));
        if (!strict.ok && ours.ok) assert.ok(ours.value.notices.length > 0, text);
        if (strict.ok) assert.deepEqual(ours.ok && ours.value.value, strict.value);
      }),
      { numRuns: 2000 },
    );
  });

  it("knows the line of every value", () => {
    const text = readJsonText('{\n  "a": [\n    1,\n    {"b": 2}\n  ],\n  "c": 3\n}');
    assert.deepEqual(
      ["a", "a[0]", "a[1].b", "c", "c.missing", ""].map((path) => text.lineOf(path)),
      [2, 3, 4, 6, 6, 1],
    );
  });

  it("notes comments, trailing commas and keys that occur twice, with their lines", () => {
    const text = readJsonText('\ufeff{ // one\n "a": 1, /* two\n three */ "a": 2,\n # four\n}');
    assert.deepEqual(text.value, { a: 2 });
    assert.deepEqual(
      text.notices.map(({ line, message }) => `${line} ${message}`),
      [
        "1 a comment; JSON has none",
        "2 a comment; JSON has none",
        '3 the key "a" occurs twice; only the last counts',
        "4 a comment; JSON has none",
        '3 a comma before "}"; JSON has none',
      ],
    );
  });

  it("says line, column and what would be right", () => {
    const cases: readonly (readonly [string, string])[] = [
      ['{"a": 1\n "b": 2}', '2:2 "," or "}" is expected, found "\\""'],
      ["{'a': 1}", '1:2 a key in double quotes is expected, found "\'"'],
      ['{"a": yes}', '1:7 "yes" is not a JSON value; texts need double quotes'],
      ['{"a": "b\n"}', "1:7 a text has no closing quote on its line"],
      ['{"a": "\\d"}', "1:10 \\d is not an escape JSON knows; a backslash is written \\\\"],
      ["", "1:1 the file is empty; an object is expected"],
      ["{} {}", '1:4 unexpected "{" after the end of the document'],
    ];
    for (const [text, expected] of cases) {
      assert.throws(
        () => readJsonText(text),
        (error) => error instanceof JsonProblem && `${error.line}:${error.column} ${error.message}` === expected,
        text,
      );
    }
  });
});

function attempt<Value>(read: () => Value): { ok: true; value: Value } | { ok: false } {
  try {
    return { ok: true, value: read() };
  } catch {
    return { ok: false };
  }
}
