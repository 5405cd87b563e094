import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { jsonText } from "./json-text.ts";

test("T-41: ids past 9999 are written in the order of their numbers", () => {
  const text = jsonText({ "10000": 1, "9999": 2, "0001": 3 });
  assert.deepEqual(
    [...text.matchAll(/"(\d+)"/g)].map(([, id]) => id),
    ["0001", "9999", "10000"],
  );
});

test("T-10, B14: what JSON cannot hold is refused, everything else is read back as it was", () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    assert.throws(() => jsonText({ rank: value }), /cannot be written as JSON/);
  }
  fc.assert(
    fc.property(fc.jsonValue(), (value) =>
      assert.deepEqual(JSON.parse(jsonText(value)), JSON.parse(JSON.stringify(value))),
    ),
  );
});
