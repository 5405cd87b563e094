import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { usDay } from "../instance/us-day.ts";
import { PlanEvaluator } from "../network/kernel/plan-evaluator.ts";
import type { Plan, Regulation } from "../network/regulation.ts";
import { defaultWeights } from "../network/weights.ts";
import { RegulationSampler } from "../proposals/regulation-sampler.ts";
import { greedyPlan, regulationMenu } from "./baselines.ts";

const storm = usDay();
const LINES = 8;

describe("planning in sequence", () => {
  it("beats regulations chosen one by one on the traffic as it was before any of them", { timeout: 300_000 }, () => {
    const evaluator = new PlanEvaluator(storm, defaultWeights);
    const sampler = new RegulationSampler(storm, evaluator);
    const nothing = { plan: [] as Plan, objective: evaluator.evaluate([]).objective };
    evaluator.keep();
    const worst = sampler.hotspots().toSorted((a, b) => b.excess - a.excess);
    const unaware: Regulation[] = [];
    for (const hot of worst) {
      let least = nothing.objective;
      let best: Regulation | undefined;
      for (const line of regulationMenu(hot, sampler)) {
        const { objective } = evaluator.evaluate([line]);
        if (objective >= least) continue;
        least = objective;
        best = line;
      }
      if (best !== undefined) unaware.push(best);
      if (unaware.length === LINES) break;
    }
    evaluator.discard();
    const aware = greedyPlan(evaluator, sampler, nothing, 20_000, "worst").plan.slice(0, LINES);
    const [unawareJ, awareJ] = [unaware, aware].map((plan) => evaluator.evaluate(plan).objective);
    assert.deepEqual([unaware.length, aware.length], [LINES, LINES]);
    assert.ok(awareJ < unawareJ, `${awareJ} in sequence, ${unawareJ} one by one`);
  });
});
