import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cutDownDay } from "../../test/cut-down-day.ts";
import type { Instance } from "../instance/instance.ts";
import { usDay } from "../instance/us-day.ts";
import { scoreFromScratch } from "../network/score-from-scratch.ts";
import { defaultWeights } from "../network/weights.ts";
import type { PlannerOptions } from "../planner/planner-options.ts";
import { populationShape } from "../planner/population/population-shape.ts";
import { SegmentRunner } from "../planner/population/run-segment.ts";
import { walkPlan } from "../planner/population/walk-plan.ts";
import { robustSearch } from "./robust-search.ts";
import { costUnder, robustnessOf } from "./robustness.ts";
import { plannedDraws } from "./weather-draws.ts";

const weights = defaultWeights;

/** Plans robustly here, segment after segment. */
function planRobustly(day: Instance, draws: readonly Float64Array[], options: PlannerOptions) {
  const search = robustSearch(day, weights, draws, options, populationShape(options.evaluations));
  const runner = new SegmentRunner(day, weights, draws);
  let asked = 0;
  for (let proposal = search.ask(); proposal.kind === "candidate"; proposal = search.ask()) {
    search.tell({ ok: true, value: runner.run(proposal.candidate) }, asked++);
  }
  const { best, plain } = search.result();
  assert.ok(best !== undefined && plain !== undefined);
  return { best, plain };
}

describe("a robust plan", () => {
  const day = cutDownDay();

  it("for the forecast alone, or for draws that are all the forecast, is the plain plan", () => {
    for (const seed of [1, 2, 3]) {
      const options: PlannerOptions = { policy: "default", seed, evaluations: 900, without: [] };
      const alone = walkPlan(day, weights, options).best;
      for (const count of [1, 2, 7]) {
        const { best, plain } = planRobustly(day, Array(count).fill(day.capacity), options);
        assert.deepEqual(best, alone);
        assert.deepEqual(plain, alone);
      }
    }
  });

  it("costs over its draws what it costs on each of them from nothing, and never more than the plain plan does", () => {
    for (const seed of [1, 2, 3, 4]) {
      const draws = plannedDraws(day, 5, seed);
      // So few evaluations that the plain plan is sometimes the better one.
      const { best, plain } = planRobustly(day, draws, { policy: "default", seed, evaluations: 120, without: [] });
      const mean = (plan: typeof best.plan) =>
        draws.reduce(
          (sum, capacity) => sum + scoreFromScratch({ ...day, capacity }, plan, weights).score.objective / draws.length,
          0,
        );
      assert.ok(Math.abs(best.score.objective - mean(best.plan)) < 1e-6);
      assert.ok(best.score.objective <= mean(plain.plan) + 1e-6);
      const { plain: figures, robust } = robustnessOf(
        day,
        weights,
        { count: 5, seed },
        { plain: plain.plan, robust: best.plan },
      );
      assert.ok(Math.abs(robust.plannedMean - mean(best.plan)) < 1e-6);
      assert.equal(figures.forecast, plain.score.objective);
      assert.equal(costUnder(day, plain.plan, weights)(day.capacity), plain.score.objective);
    }
  });

  it("is better than the plain plan under weather that neither was made for, on the real day", () => {
    const real = usDay();
    const options: PlannerOptions = { policy: "default", seed: 0, evaluations: 3000, without: [] };
    const draws = plannedDraws(real, 6, options.seed);
    const { best, plain } = planRobustly(real, draws, options);
    const plans = { plain: plain.plan, robust: best.plan };
    const figures = robustnessOf(real, weights, { count: 6, seed: options.seed }, plans);
    assert.ok(figures.robust.freshMean < figures.plain.freshMean, JSON.stringify(figures));
    assert.ok(figures.robust.freshWorst < figures.plain.freshWorst);
    assert.ok(figures.robust.forecast >= figures.plain.forecast);
  });
});
