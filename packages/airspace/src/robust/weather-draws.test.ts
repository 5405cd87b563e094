import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { randomInstance } from "../../test/random-instance.ts";
import type { Instance } from "../instance/instance.ts";
import { usDay } from "../instance/us-day.ts";
import { freshDraws, plannedDraws, weathersOf } from "./weather-draws.ts";

/** Bins of a volume in which a draw is below the volume's highest limit, and the least limit in them. */
function loweredBins({ binCount, volumeIds, capacity }: Instance, draw: Float64Array, id: string) {
  const volume = volumeIds.indexOf(id);
  const usual = Math.max(...capacity.subarray(volume * binCount, (volume + 1) * binCount));
  const row = [...draw.subarray(volume * binCount, (volume + 1) * binCount)];
  const bins = row.flatMap((limit, bin) => (limit < usual ? [bin] : []));
  return { from: bins.at(0), to: bins.at(-1), least: Math.min(...row), usual };
}

describe("draws of the weather", () => {
  it("find the storm day's three weathers in its capacities", () => {
    const hours = weathersOf(usDay()).map(([{ fromBin, loss }]) => [fromBin, fromBin + loss.length]);
    assert.deepEqual(hours, [
      [48, 64],
      [44, 68],
      [28, 44],
    ]);
  });

  it("begin with the forecast, and are the same for a seed, whatever their number", () => {
    const day = usDay();
    const [few, many] = [plannedDraws(day, 3, 7), plannedDraws(day, 8, 7)];
    assert.equal(few[0], day.capacity);
    assert.deepEqual(few, many.slice(0, 3));
    assert.notDeepEqual(plannedDraws(day, 2, 8)[1], few[1]);
    const fresh = freshDraws(day, 8, 7);
    for (const draw of many) assert.ok(fresh.every((other) => !other.every((limit, cell) => limit === draw[cell])));
  });

  it("shift all volumes of a weather alike, by an hour at most, deepen it by half at most, or drop it", () => {
    const day = usDay();
    let dropped = 0;
    for (const draw of freshDraws(day, 64, 1)) {
      const [sfo, oak] = ["ARR:SFO", "ARR:OAK"].map((id) => loweredBins(day, draw, id));
      assert.equal(sfo.from, oak.from, "both are under the bay's fog");
      if (sfo.from === undefined) {
        dropped++;
        continue;
      }
      assert.ok(Math.abs(sfo.from - 28) <= 4 && sfo.to === sfo.from + 15, `${sfo.from} to ${sfo.to}`);
      const forecast = loweredBins(day, day.capacity, "ARR:SFO");
      assert.ok(sfo.least <= forecast.least && sfo.least >= sfo.usual - 1.5 * (sfo.usual - forecast.least) - 1);
    }
    assert.ok(dropped > 3 && dropped < 20, `${dropped} of 64 dropped`);
  });

  it("keep hours without a limit, go nowhere above the usual, and close only what the forecast closes somewhere", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const day = randomInstance(seed);
        const limits = day.volumeIds.map((_, volume) => {
          const row = [...day.capacity.subarray(volume * day.binCount, (volume + 1) * day.binCount)];
          const given = row.filter((limit) => limit < Number.POSITIVE_INFINITY);
          return { least: Math.min(1, ...given), most: Math.max(...given) };
        });
        for (const draw of freshDraws(day, 4, seed)) {
          draw.forEach((limit, cell) => {
            assert.equal(limit === Number.POSITIVE_INFINITY, day.capacity[cell] === Number.POSITIVE_INFINITY);
            if (limit === Number.POSITIVE_INFINITY) return;
            const { least, most } = limits[Math.floor(cell / day.binCount)];
            if (limit < least || limit > most) assert.fail(`${limit} is not from ${least} to ${most}`);
          });
        }
      }),
      { numRuns: 20 },
    );
  });

  it("are the forecast where capacity never falls", () => {
    const day = usDay("clear");
    assert.deepEqual(weathersOf(day), []);
    for (const draw of plannedDraws(day, 4, 3)) assert.deepEqual(draw, day.capacity);
  });
});
