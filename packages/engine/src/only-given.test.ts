import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { onlyGiven } from "./only-given.ts";

describe("options that are passed on", () => {
  it("leave out what is undefined, and keep everything else in its order", () => {
    assert.deepEqual(Object.entries(onlyGiven({ b: undefined, c: 0, a: null, d: "", e: false })), [
      ["c", 0],
      ["a", null],
      ["d", ""],
      ["e", false],
    ]);
  });
});
