import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { wholeNumber } from "./whole-number.ts";

describe("a whole number", () => {
  it("is read back as it was written, inside its range and nowhere else", () => {
    const read = wholeNumber({ least: -1000, most: 1000 });
    fc.assert(
      fc.property(fc.integer({ min: -3000, max: 3000 }), (value) => {
        if (Math.abs(value) <= 1000) assert.equal(read(String(value)), value);
        else assert.throws(() => read(String(value)), /from -1000 to 1000/);
      }),
    );
  });
  for (const text of ["", " ", "1.0", "1e2", "0x1", "12abc", "--1", "NaN", "Infinity", "١"]) {
    it(`is not ${JSON.stringify(text)}`, () => {
      assert.throws(() => wholeNumber({ least: -1000, most: 1000 })(text), /whole number/);
    });
  }
});
