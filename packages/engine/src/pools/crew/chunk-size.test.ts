import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ChunkSize } from "./chunk-size.ts";

/** After tasks of so many milliseconds: places of a worker with one task in hand, while plenty wait and when hardly any do. */
function placesBesideOne(elapsedMs: number, ahead = true): readonly number[] {
  const chunk = new ChunkSize("auto", ahead);
  chunk.measured(elapsedMs);
  return [chunk.places(1, 1, true), chunk.places(1, 1, false)];
}

describe("how much a worker is handed", () => {
  it("is a next task early while plenty wait, and in the end only what it can begin at once", () => {
    assert.deepEqual(placesBesideOne(20), [1, 0]);
    assert.deepEqual(placesBesideOne(500), [0, 0], "long tasks one at a time");
    assert.deepEqual(placesBesideOne(20, false), [0, 0], "nor where the pool must not work ahead");
    assert.deepEqual(placesBesideOne(1), [1, 1], "short ones in any case");
    const unknown = new ChunkSize("auto", true);
    assert.deepEqual([unknown.places(0, 0, true), unknown.places(1, 1, true)], [1, 0], "one until something is known");
  });
});
