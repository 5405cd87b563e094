import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { nextSpot, type Spot } from "./spots.ts";

const press = (key: string, shiftKey = false) => ({ key, shiftKey });

describe("arrow keys in a drawing", () => {
  it("reach every value, whichever lies where", () => {
    const spots = Array.from({ length: 200 }, (_, n): Spot => [(n * 37) % 60, (n * n * 11) % 97]);
    for (const wide of [1, 24]) {
      const seen = new Set<string>();
      let at = nextSpot(spots, undefined, press("ArrowRight"), wide);
      for (let column = 0; column < 61; column++) {
        for (const key of ["ArrowUp", "ArrowDown"]) {
          for (let row = 0; row < 200; row++) {
            at = nextSpot(spots, at, press(key), wide);
            seen.add(String(at));
          }
        }
        at = nextSpot(spots, at, press("ArrowRight"), wide);
      }
      assert.equal(seen.size, new Set(spots.map(String)).size);
    }
  });

  it("go along a line, ten values with Shift, and stop at its ends", () => {
    const line = Array.from({ length: 25 }, (_, n): Spot => [n * 5, 0]);
    assert.deepEqual(nextSpot(line, undefined, press("ArrowRight")), [0, 0]);
    assert.deepEqual(nextSpot(line, undefined, press("ArrowLeft")), [120, 0]);
    assert.deepEqual(nextSpot(line, [5, 0], press("ArrowRight", true)), [55, 0]);
    assert.deepEqual(nextSpot(line, [115, 0], press("ArrowRight", true)), [120, 0]);
    assert.deepEqual(nextSpot(line, [50, 0], press("Home")), [0, 0]);
    assert.deepEqual(nextSpot(line, [50, 0], press("End")), [120, 0]);
    assert.equal(nextSpot(line, [50, 0], press("Tab")), undefined);
    assert.equal(nextSpot([], undefined, press("ArrowRight")), undefined);
  });

  it("stay at the height where there is one beside, and go on from what moved", () => {
    const grid = [0, 20, 40].flatMap((x) => [0, 10, 20].map((y): Spot => [x, y]));
    assert.deepEqual(nextSpot(grid, [0, 20], press("ArrowRight")), [20, 20]);
    assert.deepEqual(nextSpot(grid, [20, 10], press("ArrowUp")), [20, 0]);
    assert.deepEqual(nextSpot(grid, [22, 11], press("ArrowDown")), [20, 20]);
  });
});
