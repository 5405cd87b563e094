import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { sparkline } from "./hotspots-answer.ts";

describe("a sparkline", () => {
  const line = (counts: number[], limits: number[], width = 8) =>
    stripVTControlCharacters(sparkline(counts, limits, width));

  it("is full exactly where the count is above its limit", () => {
    assert.equal(line([0, 5, 10, 11, 1], [10, 10, 10, 10, 0]), "▁▄▇██");
  });

  it("shows the worst bin of each bar when there are more bins than bars", () => {
    assert.equal(line([1, 9, 1, 11], [10, 10, 10, 10], 2), "▇█");
  });

  it("is flat without traffic and without a limit", () => {
    assert.equal(line([0, 7], [0, Number.POSITIVE_INFINITY]), "▁▁");
  });
});
