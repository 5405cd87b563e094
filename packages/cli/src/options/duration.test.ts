import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { durationMs } from "./duration.ts";

describe("a time", () => {
  const good: [string, number][] = [
    ["500ms", 500],
    ["30s", 30_000],
    ["1.5m", 90_000],
    ["2h", 7_200_000],
    ["3", 3000],
    ["0.25", 250],
    ["0", 0],
  ];
  for (const [text, ms] of good) {
    it(`${text} is ${ms} ms`, () => assert.equal(durationMs(text), ms));
  }
  for (const text of ["", "soon", "-1s", "5 m", "1e3", "12abc", "s", "1d", "0x10", "Infinity"]) {
    it(`is not ${JSON.stringify(text)}`, () => assert.throws(() => durationMs(text), /such as 500ms, 30s, 5m or 1h/));
  }
  it("ends where timers end", () => {
    assert.equal(durationMs("596h"), 596 * 3_600_000);
    assert.throws(() => durationMs("597h"), /at most 2147483647 ms/);
  });
});
