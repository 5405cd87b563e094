import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { dice } from "../../test/dice.ts";
import { randomInstance } from "../../test/random-instance.ts";
import { randomPlan } from "../../test/random-plan.ts";
import { scoreFromScratch } from "../network/score-from-scratch.ts";
import { defaultWeights } from "../network/weights.ts";
import { explainPlan } from "./plan-account.ts";

describe("explaining a plan", () => {
  it("gives each regulation the difference it makes: worth, exceedance here and elsewhere, delay", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const day = randomInstance(seed);
        const plan = randomPlan(day, dice(seed));
        const { score } = scoreFromScratch(day, plan, defaultWeights);
        explainPlan(day, plan, defaultWeights).forEach(({ worth, protects, pushes, delayMinutes }, k) => {
          const without = scoreFromScratch(day, plan.toSpliced(k, 1), defaultWeights).score;
          const sum = (changes: readonly { flights: number }[]) =>
            changes.reduce((all, { flights }) => all + flights, 0);
          assert.ok(Math.abs(worth - (without.objective - score.objective)) < 1e-9);
          assert.equal(sum(protects) - sum(pushes), without.exceedance - score.exceedance);
          assert.equal(delayMinutes, score.delayMinutes - without.delayMinutes);
        });
      }),
      { numRuns: 30 },
    );
  });
});
