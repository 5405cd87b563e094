import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readWindow } from "./bin-window.ts";

const day = { binMinutes: 15, binCount: 96 };

describe("--window", () => {
  it("takes bins or clock times on bin edges", () => {
    assert.deepEqual(readWindow("28-42", day), [28, 42]);
    assert.deepEqual(readWindow(" 07:00-10:30 ", day), [28, 42]);
    assert.deepEqual(readWindow("0-96", day), [0, 96]);
    assert.deepEqual(readWindow("23:45-24:00", day), [95, 96]);
  });

  const wrongs: [string, RegExp][] = [
    ["28-28", /it is empty/],
    ["42-28", /ends before it begins; a window past midnight must be given as two/],
    ["22:00-01:00", /past midnight/],
    ["90-97", /it ends after the day, which has 96 bins of 15 minutes/],
    ["23:00-24:30", /it ends after the day/],
    ["07:10-08:00", /07:10 is not on the edge of a bin of 15 minutes/],
    ["07:00-08:75", /08:75 is not a time of day/],
    ["morning", /it must be bins like "28-42" or times like "07:00-10:30"/],
    ["-3-5", /it must be bins/],
    ["1.5-3", /it must be bins/],
    ["", /it must be bins/],
  ];
  for (const [text, message] of wrongs) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      assert.throws(
        () => readWindow(text, day),
        (error: Error) => {
          assert.equal(error.name, "InvalidInput");
          assert.match(error.message, message);
          assert.ok(error.message.startsWith(`--window ${JSON.stringify(text)}: `));
          return true;
        },
      );
    });
  }
});
