import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import fc from "fast-check";
import { randomInstance } from "../../test/random-instance.ts";
import { usDay } from "../instance/us-day.ts";
import { findHotspots } from "./hotspots.ts";
import { scoreFromScratch } from "./score-from-scratch.ts";
import { defaultWeights } from "./weights.ts";

const hotspotsOf = (instance: ReturnType<typeof randomInstance>) =>
  findHotspots(instance, scoreFromScratch(instance, [], defaultWeights).hourCount);

describe("hotspots", () => {
  it("hold all of the exceedance, none of it twice", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const instance = randomInstance(seed);
        const { exceedance } = scoreFromScratch(instance, [], defaultWeights).score;
        const hotspots = hotspotsOf(instance);
        assert.equal(
          hotspots.reduce((sum, { excess }) => sum + excess, 0),
          exceedance,
        );
        for (const { fromBin, toBin, worst, excess, peak, capacity } of hotspots) {
          assert.ok(fromBin < toBin && toBin <= instance.binCount);
          assert.ok(worst > 0 && worst <= excess && peak > capacity);
        }
      }),
    );
  });

  it("are two on the clear day", () => {
    assert.equal(hotspotsOf(usDay("clear")).length, 2);
  });

  const published = new URL("../../../../../shared/data/us-day/us-a-res2-hotspots.csv", import.meta.url);
  const absent = existsSync(published) ? false : "the shared hotspots of the day are not here";
  it("are the 46 published ones on the stormy day, in the same order", { skip: absent }, () => {
    const day = usDay();
    const lines = hotspotsOf(day).map(({ volume, fromBin, toBin, worst, excess }) =>
      [day.volumeIds[volume], fromBin, toBin, worst, excess, day.capacity[volume * day.binCount + fromBin]].join(","),
    );
    assert.deepEqual(lines, readFileSync(published, "utf8").trim().split("\n").slice(1));
    assert.equal(lines.length, 46);
  });
});
