import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assembleInstance, countBins } from "./assemble.ts";
import { wholeCapacity } from "./instance.ts";

const visit = (volume: number, entrySecond: number) => ({
  volume,
  entrySecond,
  exitSecond: entrySecond + 60,
  indexBin: 0,
});

describe("assembling an instance", () => {
  it("makes the five busiest origins flows of their own, ties by name, and puts the rest into one", () => {
    const origins = ["E", "D", "C", "B", "A", "F", "F", "G"];
    const instance = assembleInstance({
      name: "day",
      start: "2024-01-01T00:00:00Z",
      binMinutes: 60,
      volumes: [{ id: "V" }],
      flights: origins.map((origin, f) => ({ id: `${f}`, origin, takeoffSecond: 0, visits: [visit(0, 0)] })),
      capacity: new Float64Array(24),
    });
    assert.deepEqual(instance.flowNames, [["F", "A", "B", "C", "D", "other"]]);
    assert.deepEqual([...instance.visitFlow], [5, 4, 3, 2, 1, 0, 0, 5]);
  });

  it("sorts a flight's visits by entry and keeps the order of flights", () => {
    const instance = assembleInstance({
      name: "day",
      start: "2024-01-01T00:00:00Z",
      binMinutes: 30,
      volumes: [{ id: "V" }, { id: "W" }],
      flights: [
        { id: "late", takeoffSecond: 500, visits: [visit(1, 90), visit(0, 30)] },
        { id: "early", takeoffSecond: 0, visits: [visit(1, 0)] },
      ],
      capacity: new Float64Array(96),
    });
    assert.deepEqual([...instance.visitVolume], [0, 1, 1]);
    assert.deepEqual([...instance.visitOffset], [0, 2, 3]);
    assert.deepEqual(instance.flightIds, ["late", "early"]);
    assert.deepEqual([...instance.flightOrigin], [-1, -1]);
  });

  it("needs bins that make up whole hours, and flights", () => {
    assert.equal(countBins(15), 96);
    for (const wrong of [0, -15, 7, 45, 120, 0.5, Number.NaN]) {
      assert.throws(() => countBins(wrong), /60 must be divisible by it/);
    }
    const none = {
      name: "day",
      start: "2024-01-01T00:00:00Z",
      binMinutes: 60,
      volumes: [],
      flights: [],
      capacity: new Float64Array(0),
    };
    assert.throws(() => assembleInstance(none), /day: no flights/);
  });

  it("rounds capacity half to even and keeps no limit apart from closed", () => {
    assert.deepEqual([2.5, 3.5, 2.4, -1, 0, Number.POSITIVE_INFINITY].map(wholeCapacity), [
      2,
      4,
      2,
      0,
      0,
      Number.POSITIVE_INFINITY,
    ]);
  });
});
