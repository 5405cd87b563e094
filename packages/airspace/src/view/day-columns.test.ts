import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { random } from "@coppice/engine";
import { soak } from "@coppice/engine/soak";
import { cutDownDay } from "../../test/cut-down-day.ts";
import type { Plan } from "../network/regulation.ts";
import { scoreFromScratch } from "../network/score-from-scratch.ts";
import { defaultWeights } from "../network/weights.ts";
import { packDay, unpackDay } from "./day-columns.ts";

describe("a day packed for a page", () => {
  it("costs any plan what the day itself costs, to the last digit, after a way through JSON", () => {
    const day = cutDownDay();
    const unpacked = unpackDay(JSON.parse(JSON.stringify(packDay(day))));
    const draw = random(7).at("plans");
    const weights = { ...defaultWeights, delayMinute: 0.0173, regularity: 0.3, share: 0.1 };
    for (let tried = 0; tried < soak(5, 200); tried++) {
      const plan: Plan = Array.from({ length: 1 + draw.integer(0, 8) }, () => {
        const fromBin = draw.integer(30, 70);
        return {
          volume: draw.integer(0, day.volumeIds.length - 1),
          fromBin,
          toBin: fromBin + draw.integer(1, 20),
          flows: draw.integer(1, 63),
          ratePerHour: draw.integer(1, 60) / 2,
        };
      });
      assert.deepEqual(scoreFromScratch(unpacked, plan, weights), scoreFromScratch(day, plan, weights));
    }
  });
});
