import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { dice } from "../../test/dice.ts";
import { randomInstance } from "../../test/random-instance.ts";
import { randomPlan } from "../../test/random-plan.ts";
import { defaultWeights } from "../network/weights.ts";
import { dayReport } from "./day-report.ts";

describe("the report of a day", () => {
  it("is one page that loads nothing, whatever the day and the plan", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const instance = randomInstance(seed);
        const page = dayReport({ instance, weights: defaultWeights, plan: randomPlan(instance, dice(seed)) });
        assert.match(page, /^<!doctype html>/);
        assert.doesNotMatch(page, /https?:\/\/|<link|<script|NaN|undefined|Infinity/);
      }),
      { numRuns: 60 },
    );
  });

  it("shows names as text, never as markup", () => {
    const instance = { ...randomInstance(2), name: `<script>alert("x")</script>` };
    const page = dayReport({ instance, weights: defaultWeights });
    assert.ok(page.includes("&lt;script&gt;"));
    assert.ok(!page.includes("<script>"));
  });
});
