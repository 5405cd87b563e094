import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { selectWalkers } from "./select-walkers.ts";

/** Few different objectives, so that there are ties; some segments are lost. */
const objectives = fc.array(fc.option(fc.constantFrom(1, 2, 2.5, 3, Number.POSITIVE_INFINITY), { nil: undefined }), {
  minLength: 1,
  maxLength: 20,
});

describe("who goes on with whose plan", () => {
  it("the better half with their own, the i-th of the others with the i-th best's; of equal ones the lower walker is better", () => {
    fc.assert(
      fc.property(objectives, (given) => {
        const from = selectWalkers(given);
        const order: number[] = [];
        for (const value of [1, 2, 2.5, 3, Number.POSITIVE_INFINITY, undefined]) {
          given.forEach((objective, walker) => {
            if (objective === value) order.push(walker);
          });
        }
        const ended = given.filter((objective) => objective !== undefined).length;
        if (ended === 0) return assert.equal(from, undefined);
        const staying = Math.min(ended, given.length - Math.floor(given.length / 2));
        order.forEach((walker, rank) => {
          assert.equal(from?.[walker], rank < staying ? walker : order[(rank - staying) % staying]);
          assert.notEqual(given[from?.[walker] ?? -1], undefined, "nobody goes on with a plan that was lost");
        });
      }),
    );
  });

  it("of four the worst takes the second best's plan and the third the best's", () => {
    assert.deepEqual(selectWalkers([30, 10, 40, 20]), [1, 1, 3, 3]);
  });

  it("where nothing is handed on, all with their own, except those whose segment was lost", () => {
    assert.deepEqual(selectWalkers([30, 10, 40, 20], false), [0, 1, 2, 3]);
    assert.deepEqual(selectWalkers([30, undefined, 40, undefined], false), [0, 0, 2, 2]);
    assert.equal(selectWalkers([undefined], false), undefined);
  });
});
