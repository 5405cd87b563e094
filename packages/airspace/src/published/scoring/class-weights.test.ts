import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assembleInstance } from "../../instance/assemble.ts";
import { exceedancePrices, profilePrices } from "./class-weights.ts";
import { entrantsOf } from "./controlled-flows.ts";
import { publishedWeights } from "./published-weights.ts";

const HOUR = 3600;
const [CONTROL, DOWNSTREAM] = [0, 1];

/** Three flights that enter the control volume at 10:00, 10:00 and 12:00, and the other one 3, 4 and 3 hours later. */
const instance = assembleInstance({
  name: "offsets",
  start: "2024-01-01T00:00:00Z",
  binMinutes: 60,
  volumes: [{ id: "control" }, { id: "downstream" }, { id: "aside" }],
  flights: [
    [10, 3],
    [10, 4],
    [12, 3],
  ].map(([enters, later], f) => ({
    id: `F${f}`,
    takeoffSecond: enters * HOUR,
    visits: [
      { volume: CONTROL, entrySecond: 0, exitSecond: 600, indexBin: enters },
      { volume: DOWNSTREAM, entrySecond: later * HOUR, exitSecond: later * HOUR + 600, indexBin: enters + later },
    ],
  })),
  capacity: new Float64Array(3 * 24),
});
const requests = entrantsOf(instance, CONTROL, [0, 24], [0, 1, 2]);
const binsAt = (prices: Float32Array, price: number) =>
  [...prices].flatMap((value, bin) => (value === Math.fround(price) ? [bin] : []));

describe("class weights", () => {
  it("prices exceedance in exactly the attention cells, targets before ripples", () => {
    const attention = {
      targets: [{ volume: CONTROL, bin: 10 }],
      ripples: [
        { volume: CONTROL, bin: 10 },
        { volume: CONTROL, bin: 11 },
        { volume: DOWNSTREAM, bin: 12 },
      ],
    };
    const control = exceedancePrices(CONTROL, attention, publishedWeights, 24);
    assert.deepEqual([binsAt(control, 10), binsAt(control, 3)], [[10], [11]]);
    const downstream = exceedancePrices(DOWNSTREAM, attention, publishedWeights, 24);
    assert.deepEqual([binsAt(downstream, 10), binsAt(downstream, 3)], [[], [12]]);
  });

  it("widens the cells of the control volume by the tolerance and stops at the ends of the day", () => {
    const attention = { targets: [0, 10, 23].map((bin) => ({ volume: CONTROL, bin })), ripples: [] };
    const { beta, gamma } = profilePrices(instance, requests, attention, publishedWeights);
    assert.deepEqual(binsAt(beta, 0.1), [0, 1, 9, 10, 11, 22, 23]);
    assert.deepEqual(binsAt(gamma, 0.1), [0, 1, 9, 10, 11, 22, 23]);
    const narrow = profilePrices(instance, requests, attention, { ...publishedWeights, classToleranceBins: 0 });
    assert.deepEqual(binsAt(narrow.beta, 0.1), [0, 10, 23]);
  });

  it("shifts the cells of another volume by the flow's median offset to it: later, where they should be earlier", () => {
    const attention = { targets: [], ripples: [{ volume: DOWNSTREAM, bin: 13 }] };
    const { beta, gamma } = profilePrices(instance, requests, attention, publishedWeights);
    assert.deepEqual(binsAt(beta, 0.5), [15, 16, 17]);
    assert.deepEqual(binsAt(gamma, 0.25), [15, 16, 17]);
  });

  it("leaves the day with cells that are shifted out of it", () => {
    const attention = { targets: [], ripples: [{ volume: DOWNSTREAM, bin: 21 }] };
    assert.deepEqual(binsAt(profilePrices(instance, requests, attention, publishedWeights).beta, 0.5), [23]);
  });

  it("takes a volume that no flight of the flow reaches as it is, and the target class before the ripple class", () => {
    const attention = { targets: [{ volume: DOWNSTREAM, bin: 3 }], ripples: [{ volume: 2, bin: 5 }] };
    const { beta } = profilePrices(instance, requests, attention, publishedWeights);
    assert.deepEqual([binsAt(beta, 0.1), binsAt(beta, 0.5)], [[5, 6, 7], [4]]);
  });

  it("rounds a median between two bins to the even one", () => {
    const attention = { targets: [{ volume: DOWNSTREAM, bin: 10 }], ripples: [] };
    const half = profilePrices(instance, requests.slice(0, 2), attention, {
      ...publishedWeights,
      classToleranceBins: 0,
    });
    assert.deepEqual(binsAt(half.beta, 0.1), [14]);
  });

  it("prices everything as context without attention", () => {
    const { beta, gamma } = profilePrices(instance, requests, { targets: [], ripples: [] }, publishedWeights);
    assert.deepEqual([binsAt(beta, 1).length, binsAt(gamma, 0.5).length], [24, 24]);
  });
});
