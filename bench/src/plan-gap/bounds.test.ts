import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Instance } from "@coppice/airspace";
import { cutDownDay } from "@coppice/airspace/cut-down-day";
import { delayChoices } from "./delay-choices.ts";
import { exactDelays } from "./exact-delays.ts";
import { lagrangianBound } from "./lagrangian-bound.ts";

/** Flights that enter one volume at these minutes, all hours with room for `capacity`. */
function oneVolume(minutes: readonly number[], capacity: number): Instance {
  const day = cutDownDay();
  const count = minutes.length;
  return {
    ...day,
    volumeIds: ["V"],
    capacity: new Float64Array(day.binCount).fill(capacity),
    flightIds: minutes.map((_, f) => `F${f}`),
    takeoffSecond: Float64Array.from(minutes, (minute) => minute * 60),
    visitOffset: Int32Array.from({ length: count + 1 }, (_, f) => f),
    visitVolume: new Int32Array(count),
    entrySecond: new Float64Array(count),
  };
}

describe("the cheapest delays", () => {
  it("list only delays that change a bin", () => {
    const { delayMinutes } = delayChoices(oneVolume([5], 1), 1, 30);
    assert.deepEqual([...delayMinutes], [0, 10, 25]);
  });

  it("are found by the solver, and the bound is not above them", async () => {
    // Two flights in one hour with room for one: the second has to wait for 60 minutes to leave all four rolling hours.
    const day = oneVolume([600, 600], 1);
    const choices = delayChoices(day, 15, 120);
    for (const [lambda, cheapest] of [
      [0.01, 0.6],
      [0.05, 3],
      [0.5, 4],
    ]) {
      const { objective, optimal } = await exactDelays(day, choices, lambda, 10);
      assert.ok(optimal);
      assert.ok(Math.abs(objective - cheapest) < 1e-6, `${objective} at ${lambda}`);
      const bound = lagrangianBound(day, choices, lambda, 4, 400);
      assert.ok(bound <= cheapest + 1e-9 && bound > 0.9 * cheapest, `${bound} of ${cheapest}`);
    }
  });
});
