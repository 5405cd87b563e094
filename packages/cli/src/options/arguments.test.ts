import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { durationMs, wholeNumber } from "./arguments.ts";

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

describe("a whole number", () => {
  it("is read back as it was written, inside its range and nowhere else", () => {
    const read = wholeNumber(-1000, 1000);
    fc.assert(
      fc.property(fc.integer({ min: -3000, max: 3000 }), (value) => {
        if (Math.abs(value) <= 1000) assert.equal(read(String(value)), value);
        else assert.throws(() => read(String(value)), /from -1000 to 1000/);
      }),
    );
  });
  for (const text of ["", " ", "1.0", "1e2", "0x1", "12abc", "--1", "NaN", "Infinity", "١"]) {
    it(`is not ${JSON.stringify(text)}`, () => {
      assert.throws(() => wholeNumber(-1000, 1000)(text), /whole number/);
    });
  }
});
