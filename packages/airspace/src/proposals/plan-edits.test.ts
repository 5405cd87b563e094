import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { random } from "@coppice/engine/evaluator";
import { usDay } from "../instance/us-day.ts";
import { PlanEvaluator } from "../network/kernel/plan-evaluator.ts";
import { flowsOf, type Plan } from "../network/regulation.ts";
import { defaultWeights } from "../network/weights.ts";
import { type EditWeights, editWeights, PlanEdits } from "./plan-edits.ts";
import { RegulationSampler } from "./regulation-sampler.ts";

const storm = usDay();
const evaluator = new PlanEvaluator(storm, defaultWeights);
evaluator.evaluate([]);
evaluator.keep();
const sampler = new RegulationSampler(storm, evaluator);
const plan: Plan = Array.from({ length: 20 }, (_, draw) => sampler.draw(random(draw))).filter(
  (line) => line !== undefined,
);

/** Edits that are all of one kind. */
function only(kind: keyof EditWeights): PlanEdits {
  const usual = editWeights({ exchange: 1, splitting: 1, recall: 1 });
  const none = Object.fromEntries(Object.keys(usual).map((name) => [name, 0])) as unknown as EditWeights;
  return new PlanEdits(storm, sampler, { ...none, [kind]: usual[kind] });
}

const drawn = (edits: PlanEdits, from: Plan): Plan[] =>
  Array.from({ length: 200 }, (_, draw) => edits.draw(from, random(1000 + draw))).filter(
    (other) => other !== undefined,
  );

describe("an edit of a plan", () => {
  it("exchanges one flow of a line for another, and its rate follows the demand", () => {
    const plans = drawn(only("exchange"), plan);
    assert.ok(plans.length > 50, `${plans.length}`);
    for (const other of plans) {
      const at = other.findIndex((line, k) => line !== plan[k]);
      assert.deepEqual(other.toSpliced(at, 1), plan.toSpliced(at, 1));
      const [was, is] = [plan[at], other[at]];
      assert.equal(flowsOf(is.flows).length, flowsOf(was.flows).length);
      assert.equal(flowsOf(is.flows ^ was.flows).length, 2);
      assert.deepEqual({ ...is, flows: was.flows, ratePerHour: was.ratePerHour }, was);
    }
    assert.ok(plans.some((other) => other.some((line, k) => line.ratePerHour !== plan[k].ratePerHour)));
  });

  it("recalls lines and restores volumes only from what is remembered", () => {
    for (const kind of ["recall", "restore"] as const) {
      const edits = only(kind);
      assert.deepEqual(drawn(edits, plan), []);
      const before = plan.map((line) => ({ ...line, ratePerHour: line.ratePerHour + 100 }));
      edits.memory.addPlan(before);
      const plans = drawn(edits, plan);
      assert.ok(plans.length > 50, `${plans.length}`);
      for (const other of plans) assert.ok(other.every((line) => plan.includes(line) || before.includes(line)));
    }
  });
});
