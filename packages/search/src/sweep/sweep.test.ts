import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { runByHand } from "../../test/by-hand.ts";
import { Sweep } from "./sweep.ts";

describe("a sweep", () => {
  it("gives outcomes in the order of its list, failures among them", () => {
    const items = [3, 1, 3, 2].map((n) => ({ candidate: n, key: String(n) }));
    const { result, keys } = runByHand(new Sweep<number, number>(items), (n) => {
      if (n === 2) throw new Error("two");
      return n * n;
    });
    assert.deepEqual(result, [
      { ok: true, value: 9 },
      { ok: true, value: 1 },
      { ok: true, value: 9 },
      { ok: false, failure: { type: "Error", message: "two" } },
    ]);
    assert.deepEqual(keys, ["3", "1", "3", "2"]);
  });

  it("is done at once when its list is empty", () => {
    assert.deepEqual(runByHand(new Sweep<number, number>([]), Number).result, []);
  });
});
