import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import stringWidth from "string-width";
import { fit, pad } from "./fit.ts";

describe("fit", () => {
  it("cuts by terminal cells, not by characters", () => {
    assert.equal(fit("release rates", 20), "release rates");
    assert.equal(fit("release rates", 8), "release…");
    assert.equal(fit("管制区域", 5), "管制…");
    assert.equal(fit("👩‍👩‍👧 family", 4), "👩‍👩‍👧 …");
    assert.equal(pad("管制", 6, "right"), "  管制");
  });

  it("keeps escape sequences and line breaks of a task's name out of the terminal", () => {
    assert.equal(fit("a\u001b[2Jb\nc\td\u202ee", 20), "ab·c·de");
  });

  it("never takes more than its columns", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.nat(30), (text, columns) => {
        assert.ok(stringWidth(fit(text, columns)) <= columns);
        assert.equal(stringWidth(pad(text, columns)), columns);
      }),
    );
  });
});
