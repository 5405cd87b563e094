import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { dice } from "../../test/dice.ts";
import { randomInstance } from "../../test/random-instance.ts";
import { editPlan, randomPlan } from "../../test/random-plan.ts";
import type { Plan } from "../network/regulation.ts";
import { scoreFromScratch } from "../network/score-from-scratch.ts";
import { defaultWeights } from "../network/weights.ts";
import { NetworkDay } from "./network-day.ts";

const weights = { ...defaultWeights, regularity: 0.3, smoothness: 0.2 };

describe("the day as a plan leaves it", () => {
  it("is what scoring from nothing says, whichever plans were looked at before", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const instance = randomInstance(seed);
        const roll = dice(seed);
        const day = new NetworkDay(instance, weights);
        let plan: Plan = [];
        for (let step = 0; step < 12; step++) {
          const { delayMinutes, delayTotal, exceedance, wanted, released, regularity, smoothness } = day.after(plan);
          const { score, ...scratch } = scoreFromScratch(instance, plan, weights);
          assert.deepEqual(delayMinutes, scratch.delayMinutes);
          assert.deepEqual([wanted, released], [scratch.wanted, scratch.released]);
          assert.deepEqual([delayTotal, exceedance], [score.delayMinutes, score.exceedance]);
          assert.deepEqual([regularity, smoothness], [score.regularity, score.smoothness]);
          const next = roll(3);
          if (next === 0) plan = plan.slice(0, roll(plan.length + 1));
          else plan = next === 1 ? [...plan, ...randomPlan(instance, roll)] : editPlan(instance, plan, roll);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("does not change when it is asked for again after more plans than are remembered", () => {
    const instance = randomInstance(3);
    const roll = dice(3);
    const day = new NetworkDay(instance, weights);
    const plans = Array.from({ length: 100 }, () => randomPlan(instance, roll));
    const first = plans.map((plan) => structuredClone(day.after(plan)));
    plans.forEach((plan, k) => {
      assert.deepEqual(day.after(plan), first[k]);
    });
  });
});
