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
        explainPlan(day, plan, defaultWeights).lines.forEach(({ worth, protects, pushes, minutesSavedWithout }, k) => {
          const without = scoreFromScratch(day, plan.toSpliced(k, 1), defaultWeights).score;
          const sum = (changes: readonly { flights: number }[]) =>
            changes.reduce((all, { flights }) => all + flights, 0);
          assert.ok(Math.abs(worth - (without.objective - score.objective)) < 1e-9);
          assert.equal(sum(protects) - sum(pushes), without.exceedance - score.exceedance);
          assert.equal(minutesSavedWithout, score.delayMinutes - without.delayMinutes);
        });
      }),
      { numRuns: 30 },
    );
  });

  it("sums to the score: change of J, minutes, and the minutes of every regulation's origins", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const day = randomInstance(seed);
        const plan = randomPlan(day, dice(seed));
        const { lines, before, after } = explainPlan(day, plan, defaultWeights);
        const { score } = scoreFromScratch(day, plan, defaultWeights);
        const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
        assert.ok(Math.abs(sum(lines.map(({ delta }) => delta)) - (score.objective - before.objective)) < 1e-6);
        assert.equal(sum(lines.map(({ delayMinutes }) => delayMinutes)), score.delayMinutes);
        for (const { origins, delayMinutes } of lines) {
          assert.equal(sum(origins.map(({ minutes }) => minutes)), delayMinutes);
        }
        assert.deepEqual(after, score);
      }),
      { numRuns: 30 },
    );
  });
});
