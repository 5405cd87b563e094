import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { compareIds, treeId } from "./tree-state.ts";

test("T-41: ids past 9999 keep their numeric order", () => {
  const counts = fc.integer({ min: 0, max: 2_000_000 });
  fc.assert(
    fc.property(counts, counts, (a, b) => {
      assert.equal(Math.sign(compareIds(treeId(a), treeId(b))), Math.sign(a - b));
    }),
  );
  assert.deepEqual(["10000", "9999", "0001"].toSorted(compareIds), ["0001", "9999", "10000"]);
});
