import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { soak } from "@coppice/engine/soak";
import fc from "fast-check";
import { dice } from "../../../test/dice.ts";
import { randomInstance } from "../../../test/random-instance.ts";
import { editPlan, randomPlan } from "../../../test/random-plan.ts";
import type { Instance } from "../../instance/instance.ts";
import type { Plan } from "../regulation.ts";
import { scoreFromScratch } from "../score-from-scratch.ts";
import { defaultWeights } from "../weights.ts";
import { PlanEvaluator } from "./plan-evaluator.ts";

/** Draws that are the day's own, or differ in a volume, in some cells, or everywhere; closed, without a limit, twice the same. */
function hostileDraws(instance: Instance, roll: (sides: number) => number): Float64Array[] {
  const { capacity, binCount } = instance;
  const draws = Array.from({ length: 1 + roll(7) }, () => {
    const draw = capacity.slice();
    const kind = roll(4);
    if (kind === 0) return draw;
    const row = roll(instance.volumeIds.length);
    return draw.map((limit, cell) => {
      if (kind === 1 && Math.floor(cell / binCount) !== row) return limit;
      if (kind === 2 && roll(5) > 0) return limit;
      return [0, roll(4), roll(9) + 0.5, Number.POSITIVE_INFINITY][roll(4)];
    });
  });
  return roll(3) === 0 ? [...draws, ...draws.slice(0, 2)] : draws;
}

/** The mean over draws, each scored from nothing. */
function meanOf(instance: Instance, draws: readonly Float64Array[], plan: Plan): number {
  const sum = draws.reduce(
    (total, capacity) => total + scoreFromScratch({ ...instance, capacity }, plan, defaultWeights).score.exceedance,
    0,
  );
  return sum / draws.length;
}

describe("scoring a plan over several draws of the capacity", () => {
  it("is the mean of scoring it on each from nothing, whatever is kept, stopped or left on the way", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const roll = dice(seed);
        const instance = randomInstance(seed);
        const draws = hostileDraws(instance, roll);
        const evaluator = new PlanEvaluator(instance, defaultWeights, draws);
        for (let step = 0; step < 10; step++) {
          const plan = roll(6) === 0 ? randomPlan(instance, roll) : editPlan(instance, evaluator.plan, roll);
          const whole = evaluator.evaluate(plan);
          assert.equal(whole.exceedance, meanOf(instance, draws, plan));
          const most = whole.objective + roll(9) - 4;
          const stopped = evaluator.evaluate(plan, most);
          if (whole.objective <= most) assert.deepEqual(stopped, whole);
          else assert.ok(stopped.objective > most && stopped.objective <= whole.objective);
          if (whole.objective <= most && roll(2) === 0) {
            evaluator.keep();
            checkVolumes(instance, draws, evaluator);
          }
        }
      }),
      { numRuns: soak(15, 300) },
    );
  });

  it("over one draw, or over the same one many times, is scoring it on that", () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 9 }), (seed, count) => {
        const roll = dice(seed);
        const instance = randomInstance(seed);
        const plain = new PlanEvaluator(instance, defaultWeights);
        const drawn = new PlanEvaluator(instance, defaultWeights, Array(count).fill(instance.capacity));
        for (let step = 0; step < 6; step++) {
          const plan = editPlan(instance, plain.plan, roll);
          assert.deepEqual(drawn.evaluate(plan), plain.evaluate(plan));
          plain.keep();
          drawn.keep();
          for (const [volume] of instance.volumeIds.entries()) {
            assert.equal(drawn.exceedanceOf(volume), plain.exceedanceOf(volume));
            for (let bin = 0; bin < instance.binCount; bin++) {
              assert.equal(drawn.over(volume, bin), plain.over(volume, bin));
            }
          }
        }
      }),
      { numRuns: soak(15, 200) },
    );
  });
});

/** What a volume is above capacity in a bin and in all is the mean over the draws. */
function checkVolumes(instance: Instance, draws: readonly Float64Array[], evaluator: PlanEvaluator): void {
  const alone = draws.map((capacity) => {
    const one = new PlanEvaluator({ ...instance, capacity }, defaultWeights);
    one.goTo(evaluator.plan);
    return one;
  });
  const mean = (of: (one: PlanEvaluator) => number) => alone.reduce((sum, one) => sum + of(one), 0) / draws.length;
  for (const [volume] of instance.volumeIds.entries()) {
    assert.equal(
      evaluator.exceedanceOf(volume),
      mean((one) => one.exceedanceOf(volume)),
    );
    for (let bin = 0; bin < instance.binCount; bin++) {
      assert.equal(
        Math.max(0, evaluator.over(volume, bin)),
        mean((one) => Math.max(0, one.over(volume, bin))),
      );
    }
  }
}
