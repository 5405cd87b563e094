import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { inTurn, onlyInSoak, soak } from "./soak.ts";

describe("soak", () => {
  const before = process.env.COPPICE_SOAK;
  afterEach(() => {
    if (before === undefined) delete process.env.COPPICE_SOAK;
    else process.env.COPPICE_SOAK = before;
  });

  it("keeps to the few without a setting, and scales the many with one", () => {
    delete process.env.COPPICE_SOAK;
    assert.equal(soak(3, 200), 3);
    process.env.COPPICE_SOAK = "1";
    assert.equal(soak(3, 200), 200);
    process.env.COPPICE_SOAK = "0.1";
    assert.equal(soak(3, 200), 20);
  });

  it("lets all have their turn, and all of them in a soak that is longer than CI's", () => {
    for (const setting of ["", "0.02"]) {
      process.env.COPPICE_SOAK = setting;
      assert.deepEqual(
        [0, 1, 2].flatMap((turn) => inTurn(["a", "b"], turn)),
        ["a", "b", "a"],
      );
    }
    process.env.COPPICE_SOAK = "0.1";
    assert.deepEqual(inTurn(["a", "b"], 1), ["a", "b"]);
  });

  it("leaves out what takes too long for every day, but never in a soak", () => {
    delete process.env.COPPICE_SOAK;
    assert.deepEqual(onlyInSoak(), { skip: "only in a soak" });
    process.env.COPPICE_SOAK = "0.02";
    assert.deepEqual(onlyInSoak(), { skip: false });
  });

  it("never repeats less often than the suite does", () => {
    process.env.COPPICE_SOAK = "0.001";
    assert.equal(soak(3, 200), 3);
  });

  it("names a setting that is not a factor", () => {
    for (const wrong of ["yes", "0", "-1"]) {
      process.env.COPPICE_SOAK = wrong;
      assert.throws(() => soak(3, 200), /COPPICE_SOAK is a factor above zero/);
    }
  });
});
