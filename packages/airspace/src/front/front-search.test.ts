import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cutDownDay } from "../../test/cut-down-day.ts";
import { scoreFromScratch } from "../network/score-from-scratch.ts";
import { defaultWeights } from "../network/weights.ts";
import { readPlanFile } from "../plan/plan-file.ts";
import type { PlannerOptions } from "../planner/planner-options.ts";
import { SegmentRunner } from "../planner/population/run-segment.ts";
import { walkPlan } from "../planner/population/walk-plan.ts";
import { frontFiles, frontJson } from "./front-answer.ts";
import { frontPrices, frontSearch } from "./front-search.ts";

const day = cutDownDay();
const options: PlannerOptions = { policy: "default", seed: 4, evaluations: 400, without: [] };
const shape = { walkers: 2, rounds: 3 };
const prices = frontPrices(defaultWeights.delayMinute);

function planFront() {
  const search = frontSearch(defaultWeights, prices, options, shape);
  const runner = new SegmentRunner(day, defaultWeights);
  let asked = 0;
  for (let proposal = search.ask(); proposal.kind === "candidate"; proposal = search.ask()) {
    search.tell({ ok: true, value: runner.run(proposal.candidate) }, asked++);
  }
  return search.result();
}

describe("a front of delay against exceedance", () => {
  const { front, best } = planFront();

  it("has a plan for each price that costs what it costs from nothing, and no more than a search for that price finds", () => {
    assert.deepEqual(
      front.map(({ delayMinute }) => delayMinute),
      prices,
    );
    for (const { delayMinute, plan, score } of front) {
      const weights = { ...defaultWeights, delayMinute };
      assert.deepEqual(score, scoreFromScratch(day, plan, weights).score);
      const alone = walkPlan(day, weights, options, shape).best?.score.objective ?? Number.NaN;
      assert.ok(score.objective <= alone, `${score.objective} at ${delayMinute}, alone ${alone}`);
      for (const other of front) {
        const there = scoreFromScratch(day, other.plan, weights).score.objective;
        assert.ok(score.objective <= there, "no plan of the front is cheaper at this price");
      }
    }
    const own = front.find(({ delayMinute }) => delayMinute === defaultWeights.delayMinute);
    assert.deepEqual([best?.plan, best?.score], [own?.plan, own?.score]);
  });

  it("marks the points that no other beats in both", () => {
    for (const point of front) {
      const beaten = front.some(
        ({ score }) =>
          score.delayMinutes <= point.score.delayMinutes &&
          score.exceedance <= point.score.exceedance &&
          score.delayMinutes + score.exceedance < point.score.delayMinutes + point.score.exceedance,
      );
      assert.equal(point.onFront, !beaten);
    }
    assert.ok(front.filter(({ onFront }) => onFront).length >= 3);
  });

  it("is read back from its files as it was", () => {
    const files = frontFiles(day, defaultWeights, front);
    for (const [at, { plan: name }] of frontJson(front).entries()) {
      const { plan, weights } = readPlanFile({ source: name, text: files.get(name) ?? "" }, day);
      assert.deepEqual(plan, front[at].plan);
      assert.equal(weights?.delayMinute, prices[at]);
    }
    assert.equal(files.get("front/front.csv")?.trim().split("\n").length, prices.length + 1);
    assert.deepEqual(JSON.parse(files.get("front/front.json") ?? "").front, frontJson(front));
  });

  it("is of the chosen prices and the run's own, each once, the lowest first", () => {
    assert.deepEqual(frontPrices(0.02, [0.5, 0.1, 0.5]), [0.02, 0.1, 0.5]);
    assert.deepEqual(frontPrices(0.1, [0.1]), [0.1]);
    assert.deepEqual(frontPrices(0.02), [0.0025, 0.005, 0.01, 0.015, 0.02, 0.03, 0.04, 0.08, 0.16]);
  });
});
