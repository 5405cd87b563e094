import assert from "node:assert/strict";
import { test } from "node:test";
import { labelledReply, listItems } from "./labelled-reply.ts";
import { structuredReply } from "./structured-reply.ts";

test("a JSON object is found alone, in a fence, and in the middle of prose", () => {
  assert.deepEqual(structuredReply('{"a": 1}'), { a: 1 });
  assert.deepEqual(structuredReply('Sure!\n```json\n{"a": {"b": "}"}}\n```\nDone.'), { a: { b: "}" } });
  assert.deepEqual(structuredReply('the set {1, 2} and then {"a": "\\"{"} end'), { a: '"{' });
});

test("text without a readable object has no structured reply", () => {
  for (const text of ["", "{", "}", "{not json}", '{"a": ', "[1, 2]", 'an unclosed "{']) {
    assert.equal(structuredReply(text), undefined, text);
  }
});

test("a label's text goes on over lines until the next label", () => {
  const reply = labelledReply(
    "VERDICT: STOP\n**REASONING:** first\nsecond: not a label\n\nthird\nNotes: x\nCONFIDENCE: 7",
    ["VERDICT", "REASONING", "CONFIDENCE"],
  );
  assert.deepEqual(reply, {
    VERDICT: "STOP",
    REASONING: "first\nsecond: not a label\n\nthird\nNotes: x",
    CONFIDENCE: "7",
  });
});

test("a label given twice counts the first time", () => {
  assert.deepEqual(labelledReply("A: 1\nB: 2\nA: 3", ["A", "B"]), { A: "1", B: "2" });
});

test("lists may be bulleted, numbered or between semicolons, and none is none", () => {
  assert.deepEqual(listItems("- one\n* two\n3. three\n• four"), ["one", "two", "three", "four"]);
  assert.deepEqual(listItems("one; two"), ["one", "two"]);
  assert.deepEqual([listItems("None."), listItems("n/a"), listItems(""), listItems(undefined)], [[], [], [], []]);
});
