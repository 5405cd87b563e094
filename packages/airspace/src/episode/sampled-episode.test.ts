import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cutDownDay } from "../../test/cut-down-day.ts";
import { usDay } from "../instance/us-day.ts";
import { scoreFromScratch } from "../network/score-from-scratch.ts";
import { defaultWeights } from "../network/weights.ts";
import { checkPlan } from "../plan/check-plan.ts";
import { makePlan } from "../planner/make-plan.ts";
import type { PlannerOptions } from "../planner/planner-options.ts";
import type { EpisodeOptions } from "./episode-options.ts";

const day = cutDownDay();
const sampled = (evaluations: number, episode: Partial<EpisodeOptions> = {}): PlannerOptions => {
  return { policy: "plain", seed: 4, evaluations, without: [], episode: { priors: "sampled", ...episode } };
};

describe("episodes of sampled regulations", () => {
  it("the score is that of the plan, found with all the evaluations and no more, and the same each time", () => {
    for (const evaluations of [1, 2, 7, 50, 900]) {
      const planning = makePlan(day, defaultWeights, sampled(evaluations));
      assert.deepEqual(planning.score, scoreFromScratch(day, planning.plan, defaultWeights).score);
      assert.deepEqual([planning.evaluations, planning.stopReason], [evaluations, "evaluations_exhausted"]);
      assert.ok((planning.episodes?.terminalEvaluations ?? 0) < evaluations, "the empty plan is no episode");
      assert.deepEqual(makePlan(day, defaultWeights, sampled(evaluations)), planning);
      for (const { name, violations } of checkPlan(day, planning.plan, undefined))
        assert.deepEqual(violations, [], name);
    }
  });

  it("keep to the limits of episodes", () => {
    assert.equal(makePlan(day, defaultWeights, sampled(900, { maxRegulations: 2 })).plan.length, 2);
    assert.equal(makePlan(day, defaultWeights, sampled(900, { maxActions: 1 })).plan.length, 1);
  });

  it("ends where nothing can be regulated", () => {
    const calm = { ...day, capacity: day.capacity.map(() => 30_000) };
    const { plan, stopReason, evaluations } = makePlan(calm, defaultWeights, sampled(500));
    assert.deepEqual([plan.length, stopReason, evaluations], [0, "tree_exhausted", 1]);
  });

  it("find better plans of the real day than episodes that pick hotspots and flows", () => {
    const [built, drawn] = (["counts", "sampled"] as const).map(
      (priors) => makePlan(usDay(), defaultWeights, sampled(1500, { priors })).score.objective,
    );
    assert.ok(drawn < built - 100, `${drawn} and ${built}`);
  });
});
