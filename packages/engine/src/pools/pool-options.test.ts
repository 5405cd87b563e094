import assert from "node:assert/strict";
import { availableParallelism } from "node:os";
import { describe, it } from "node:test";
import { inline } from "./in-process.ts";
import { crewSettings } from "./pool-options.ts";
import { threads } from "./threads.ts";

describe("pool options", () => {
  it("fill in the cores, automatic chunks and 128 unsettled tasks per worker", () => {
    const cores = Math.min(availableParallelism(), 1024);
    const limits = { maxInFlight: 128 * cores, graceMs: 50, memoryMb: undefined };
    const defaults = { workers: cores, chunk: "auto", ahead: true, ...limits };
    assert.deepEqual(crewSettings({}), defaults);
    assert.equal(crewSettings({ workers: 3, chunk: 100 }).maxInFlight, 1200);
  });

  it("name the option that is wrong and what would be right, in one line", () => {
    const wrong: [string, unknown, RegExp][] = [
      ["workers", -1, /^RangeError: workers is -1; it must be a whole number from 1 to 1024 or "auto"$/],
      ["workers", 0, /^RangeError: workers is 0;/],
      ["workers", 1.5, /^RangeError: workers is 1\.5;/],
      ["workers", Number.NaN, /^RangeError: workers is NaN;/],
      ["workers", Number.POSITIVE_INFINITY, /^RangeError: workers is Infinity;/],
      ["workers", 1025, /^RangeError: workers is 1025;/],
      ["workers", "4", /^TypeError: workers is "4"; it must be a whole number from 1 to 1024 or "auto"$/],
      ["workers", null, /^TypeError: workers is null;/],
      ["chunk", 0, /^RangeError: chunk is 0;/],
      ["chunk", "big", /^TypeError: chunk is "big";/],
      ["maxInFlight", 0, /^RangeError: maxInFlight is 0; it must be a whole number from 1 to 1000000$/],
      ["graceMs", -1, /^RangeError: graceMs is -1;/],
      ["memoryMb", 1, /^RangeError: memoryMb is 1;/],
    ];
    for (const [option, value, line] of wrong) {
      assert.throws(() => threads({ [option]: value }), line);
      if (option !== "workers" && option !== "memoryMb") assert.throws(() => inline({ [option]: value }), line);
    }
  });
});
