import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { clockLabel, readWindow } from "./clock.ts";

const day = { start: "2024-06-01T00:00:00Z", binMinutes: 15, binCount: 96 };
const fromEight = { ...day, start: "2001-06-29T08:00:00Z" };

describe("--window", () => {
  it("takes bins or UTC times on bin edges", () => {
    assert.deepEqual(readWindow("28-42", day), [28, 42]);
    assert.deepEqual(readWindow(" 07:00-10:30 ", day), [28, 42]);
    assert.deepEqual(readWindow("0-96", day), [0, 96]);
    assert.deepEqual(readWindow("23:45-24:00", day), [95, 96]);
    assert.deepEqual(readWindow("23:45-00:00", day), [95, 96]);
  });

  it("counts bins from the start of the day, so that a day from 08:00 has midnight inside", () => {
    assert.deepEqual(readWindow("08:00-09:00", fromEight), [0, 4]);
    assert.deepEqual(readWindow("22:00-01:00", fromEight), [56, 68]);
    assert.deepEqual(readWindow("07:00-08:00", fromEight), [92, 96]);
    assert.equal(clockLabel(0, fromEight), "08:00");
    assert.equal(clockLabel(68, fromEight), "01:00");
    assert.throws(() => readWindow("07:00-09:00", fromEight), /the day runs from 08:00 to 08:00/);
  });

  const wrongs: [string, RegExp][] = [
    ["28-28", /it is empty/],
    ["0-0", /it is empty/],
    ["07:00-07:00", /it is empty/],
    ["42-28", /ends before it begins/],
    ["22:00-01:00", /the day runs from 00:00 to 00:00, and a window past that must be given as two/],
    ["90-97", /it ends after the day, which has 96 bins of 15 minutes/],
    ["23:00-24:30", /24:30 is not a time of day/],
    ["07:10-08:00", /07:10 is not on the edge of a bin of 15 minutes/],
    ["07:00-08:75", /08:75 is not a time of day/],
    ["morning", /it must be bins like "28-42" or UTC times like "07:00-10:30"/],
    ["-3-5", /it must be bins/],
    ["1.5-3", /it must be bins/],
    ["", /it must be bins/],
  ];
  for (const [text, message] of wrongs) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      assert.throws(
        () => readWindow(text, day),
        (error: Error) => {
          assert.equal(error.name, "UsageError");
          assert.match(error.message, message);
          assert.ok(error.message.startsWith(`--window ${JSON.stringify(text)}: `));
          return true;
        },
      );
    });
  }
});
