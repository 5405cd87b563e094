import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { formatCount, formatDuration, formatMeasured, formatRate, formatRemaining, formatValue } from "./figures.ts";

function writes<Input>(format: (input: Input) => string, table: readonly (readonly [Input, string])[]): void {
  for (const [input, text] of table) assert.equal(format(input), text);
}

describe("figures", () => {
  it("write durations in their two largest units", () => {
    writes(formatDuration, [
      [-1, "0s"],
      [0, "0s"],
      [8_999, "8s"],
      [59_999, "59s"],
      [60_000, "1m 00s"],
      [125_000, "2m 05s"],
      [135_000, "2m 15s"],
      [3_599_999, "59m 59s"],
      [3_600_000, "1h 00m"],
      [3_725_000, "1h 02m"],
      [86_400_000 * 3 + 3_600_000 * 4, "3d 04h"],
    ]);
  });

  it("round what remains up, so that it is 0s only when nothing is left", () => {
    writes(formatRemaining, [
      [0, "0s"],
      [1, "1s"],
      [1_000, "1s"],
      [59_001, "1m 00s"],
    ]);
  });

  it("write measured times with three digits", () => {
    writes(formatMeasured, [
      [0, "0 ms"],
      [0.4219, "0.42 ms"],
      [17.34, "17.3 ms"],
      [420.6, "421 ms"],
      [999.6, "1.00 s"],
      [59_960, "1m 00s"],
    ]);
  });

  it("write slow rates per minute", () => {
    writes(formatRate, [
      [0, "0/min"],
      [0.05, "3.0/min"],
      [0.5, "30/min"],
      [3.21, "3.2/s"],
      [99.96, "100/s"],
      [1204.4, "1,204/s"],
    ]);
  });

  it("write values with six digits and counts with separators", () => {
    writes(formatValue, [
      [0, "0"],
      [-3, "-3"],
      [1234567, "1,234,567"],
      [0.1 + 0.2, "0.3"],
      [-1234.56789, "-1234.57"],
      [1.23e-9, "1.23e-9"],
      [Number.POSITIVE_INFINITY, "Infinity"],
    ]);
    writes(formatCount, [[1234567, "1,234,567"]]);
  });
});
