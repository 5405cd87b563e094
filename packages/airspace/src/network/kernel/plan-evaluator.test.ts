import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { soak } from "@coppice/engine/soak";
import fc from "fast-check";
import { dice } from "../../../test/dice.ts";
import { randomInstance } from "../../../test/random-instance.ts";
import { editPlan, randomPlan } from "../../../test/random-plan.ts";
import { assembleInstance } from "../../instance/assemble.ts";
import { usDay } from "../../instance/us-day.ts";
import { flowSet, type Plan } from "../regulation.ts";
import { scoreFromScratch } from "../score-from-scratch.ts";
import { defaultWeights, type Weights } from "../weights.ts";
import { PlanEvaluator } from "./plan-evaluator.ts";

const storm = usDay();
const allWeights: Weights = { ...defaultWeights, regularity: 0.3, smoothness: 0.2, share: 2 };

/** Both scorers, and that they agree: exceedance and delay exactly, the objective to 1e-9. */
function agreement(instance: ReturnType<typeof randomInstance>, weights: Weights) {
  const evaluator = new PlanEvaluator(instance, weights);
  const check = (plan: Plan): void => {
    const fast = evaluator.evaluate(plan);
    const slow = scoreFromScratch(instance, plan, weights).score;
    assert.equal(fast.exceedance, slow.exceedance);
    assert.equal(fast.delayMinutes, slow.delayMinutes);
    assert.ok(Math.abs(fast.objective - slow.objective) < 1e-9, `${fast.objective} is not ${slow.objective}`);
  };
  return { evaluator, check };
}

/** Evaluates a random walk of plans: edits of the kept plan, whole new plans, kept, discarded, left standing or gone to. */
function walk(
  instance: ReturnType<typeof randomInstance>,
  seed: number,
  steps: number,
  weights: Weights,
): PlanEvaluator {
  const roll = dice(seed);
  const { evaluator, check } = agreement(instance, weights);
  for (let step = 0; step < steps; step++) {
    const plan = roll(8) === 0 ? randomPlan(instance, roll) : editPlan(instance, evaluator.plan, roll);
    check(plan);
    const next = roll(5);
    if (next === 0) evaluator.discard();
    if (next === 4) goTo(editPlan(instance, plan, roll));
    else if (next > 1) evaluator.keep();
    if (next > 1) checkVolumes(instance, evaluator);
  }
  check([]);
  check(evaluator.plan);
  return evaluator;

  function goTo(plan: Plan): void {
    const before = evaluator.evaluations;
    evaluator.goTo(plan);
    assert.deepEqual([evaluator.plan, evaluator.evaluations], [plan, before]);
  }
}

/** Scores a random walk of plans twice, once up to limits around what they cost; keeps those that are wanted. */
function stoppedWalk(instance: ReturnType<typeof randomInstance>, seed: number, steps: number, weights: Weights): void {
  const roll = dice(seed);
  const whole = new PlanEvaluator(instance, weights);
  const stopping = new PlanEvaluator(instance, weights);
  let counted = 0;
  for (let step = 0; step < steps; step++) {
    const plan = roll(8) === 0 ? randomPlan(instance, roll) : editPlan(instance, whole.plan, roll);
    const score = whole.evaluate(plan);
    const { objective } = score;
    const limit = objective + [0, 1e-9, -1e-9, -1, roll(40), -roll(40), Number.POSITIVE_INFINITY][roll(7)];
    const known = roll(3) === 0;
    const stopped = stopping.evaluate(plan, limit, known);
    if (objective <= limit || !known) counted++;
    assert.equal(stopping.evaluations, counted);
    if (objective > limit) {
      assert.ok(stopped.objective > limit && stopped.objective <= objective, `${stopped.objective}, ${objective}`);
      if (stopped.objective < objective) assert.throws(() => stopping.keep(), /needs an evaluation/);
      continue;
    }
    assert.deepEqual(stopped, score);
    if (roll(3) === 0) continue;
    if (roll(4) === 0) {
      const shorter = whole.plan.slice(roll(2));
      for (const evaluator of [whole, stopping]) evaluator.goTo(shorter);
      checkVolumes(instance, stopping);
      continue;
    }
    whole.keep();
    stopping.keep();
    checkVolumes(instance, stopping);
  }
}

/** What is above capacity in each volume is the sum over its rolling hours. */
function checkVolumes({ volumeIds, binCount }: ReturnType<typeof randomInstance>, evaluator: PlanEvaluator): void {
  volumeIds.forEach((id, volume) => {
    let sum = 0;
    for (let bin = 0; bin < binCount; bin++) sum += Math.max(0, evaluator.over(volume, bin));
    assert.equal(evaluator.exceedanceOf(volume), sum, id);
  });
}

describe("scoring a plan by what it changes", () => {
  it("agrees with scoring from nothing on random days, plans and edits, kept or undone", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        walk(randomInstance(seed), seed, 12, defaultWeights);
      }),
      { numRuns: soak(120, 400) },
    );
  });

  it("agrees on plans of more lines than there are bits to mark them", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const instance = randomInstance(seed);
        const roll = dice(seed);
        const { evaluator, check } = agreement(instance, defaultWeights);
        check(Array.from({ length: 6 }, () => randomPlan(instance, roll)).flat());
        evaluator.keep();
        for (let step = 0; step < 6; step++) {
          check(editPlan(instance, evaluator.plan, roll));
          evaluator.keep();
        }
      }),
      { numRuns: soak(20, 40) },
    );
  });

  it("agrees when it is made of what other evaluators of the day have left", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const instance = randomInstance(seed);
        for (let turn = 0; turn < 3; turn++) {
          const left = walk(instance, seed + turn, 6, defaultWeights);
          // One that went to its end in spite of a limit, and was not kept.
          left.evaluate(left.plan.slice(1), 1e9);
          left.release();
        }
        walk(instance, seed, 6, allWeights);
      }),
      { numRuns: soak(20, 100) },
    );
  });

  it("agrees when regularity, smoothness and share have a price", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        walk(randomInstance(seed), seed, 8, allWeights);
      }),
      { numRuns: soak(20, 60) },
    );
  });

  it("agrees on a real day", () => {
    walk(storm, 1, 250, defaultWeights);
  });

  it("agrees where more flights enter a volume than 16 bits count", () => {
    const visit = (minute: number) => [
      { volume: 0, indexBin: Math.floor(minute / 15), entrySecond: 0, exitSecond: 600 },
    ];
    const flights = Array.from({ length: 40_000 }, (_, f) => ({ f, minute: 300 + (f % 500) }));
    const instance = assembleInstance({
      name: "crowd",
      start: "2024-01-01T00:00:00Z",
      binMinutes: 15,
      volumes: [{ id: "V", latitude: 0, longitude: 0 }],
      flights: flights.map(({ f, minute }) => ({ id: `F${f}`, takeoffSecond: 60 * minute, visits: visit(minute) })),
      capacity: new Float64Array(96).fill(100),
    });
    const { evaluator, check } = agreement(instance, defaultWeights);
    const line = { volume: 0, fromBin: 20, toBin: 60, flows: -1, ratePerHour: 5000 };
    check([line]);
    evaluator.keep();
    check([{ ...line, ratePerHour: 4000 }]);
    check([{ ...line, toBin: 40 }]);
    check([]);
  });

  it("stopped at a limit decides as if it went to its end, and costs the same to the last digit where it is wanted", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const instance = randomInstance(seed);
        stoppedWalk(
          instance,
          seed,
          16,
          [defaultWeights, { ...defaultWeights, delayMinute: 0.3 }, allWeights][seed % 3],
        );
      }),
      { numRuns: soak(100, 400) },
    );
    stoppedWalk(storm, 5, 150, defaultWeights);
  });

  it("costs an empty plan its exceedance alone", () => {
    const instance = randomInstance(11);
    const { objective, exceedance } = new PlanEvaluator(instance, allWeights).evaluate([]);
    assert.equal(objective, exceedance);
    assert.equal(new PlanEvaluator(storm, defaultWeights).evaluate([]).objective, 2082);
    assert.equal(new PlanEvaluator(usDay("clear"), defaultWeights).evaluate([]).objective, 2);
  });

  it("counts every objective it computes", () => {
    const evaluator = new PlanEvaluator(randomInstance(4), defaultWeights);
    evaluator.evaluate([]);
    evaluator.evaluate([]);
    evaluator.keep();
    assert.equal(evaluator.evaluations, 2);
  });
});

const published = new URL("../../../../../../shared/data/us-day/ref-plans.json", import.meta.url);
const absent = existsSync(published) ? false : "the shared plans of the day are not here";

describe("the published plans of the real day", { skip: absent }, () => {
  it("cost exactly what is stated, from nothing and by what they change", () => {
    for (const { lambda, mu, J, exceedance, delayMinutes, plan } of JSON.parse(readFileSync(published, "utf8"))) {
      const lines: Plan = plan.map((line: { v: number; b0: number; b1: number; flows: number[]; rate: number }) => ({
        volume: line.v,
        fromBin: line.b0,
        toBin: line.b1,
        flows: flowSet(line.flows),
        ratePerHour: line.rate,
      }));
      const weights = { ...defaultWeights, delayMinute: lambda, regulation: mu };
      for (const score of [
        new PlanEvaluator(storm, weights).evaluate(lines),
        scoreFromScratch(storm, lines, weights).score,
      ]) {
        assert.equal(score.exceedance, exceedance);
        assert.equal(score.delayMinutes, delayMinutes);
        assert.equal(score.objective, J);
      }
    }
  });
});
