import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AwakeClock } from "./awake-clock.ts";

/** A clock whose process was awake until `last`, with these pauses before. */
function clockOf(last: number, ...pauses: readonly (readonly [from: number, until: number])[]): AwakeClock {
  const clock = new AwakeClock();
  new Float64Array(clock.buffer, 16).set(pauses.flat());
  new Int32Array(clock.buffer, 0, 1)[0] = pauses.length;
  new Float64Array(clock.buffer, 8, 1)[0] = last;
  return clock;
}

describe("time in which a process was awake", () => {
  it("is all of it while nobody notes pauses, and while there are none", () => {
    assert.equal(new AwakeClock().between(1_000, 90_000), 89_000);
    assert.equal(clockOf(89_950).between(1_000, 90_000), 89_000);
    assert.equal(clockOf(88_001).between(1_000, 90_000), 89_000);
  });

  it("leaves out what of a pause falls into it", () => {
    const clock = clockOf(99_950, [10_000, 40_000], [50_000, 60_000]);
    assert.equal(clock.between(5_000, 100_000), 95_000 - 40_000);
    assert.equal(clock.between(20_000, 55_000), 35_000 - 20_000 - 5_000);
    assert.equal(clock.between(41_000, 49_000), 8_000);
    assert.equal(clock.between(20_000, 30_000), 0);
  });

  it("leaves out a pause that has only just ended, noted already or not, once", () => {
    assert.equal(clockOf(10_000).between(9_000, 70_000), 1_100);
    assert.equal(clockOf(10_000, [10_100, 70_000]).between(9_000, 70_001), 1_101);
    assert.equal(clockOf(70_000, [10_100, 70_000]).between(9_000, 70_001), 1_101);
  });
});
