import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { dice } from "../../test/dice.ts";
import { randomInstance } from "../../test/random-instance.ts";
import { randomPlan } from "../../test/random-plan.ts";
import { scoreFromScratch } from "../network/score-from-scratch.ts";
import { defaultWeights } from "../network/weights.ts";
import { accountFor } from "./plan-account.ts";

describe("the account of a plan", () => {
  it("adds up: the lines' deltas and delays make the difference between without and with", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const instance = randomInstance(seed);
        const plan = randomPlan(instance, dice(seed));
        const { before, after, lines } = accountFor(instance, plan, defaultWeights);
        const sum = (part: (line: (typeof lines)[number]) => number) =>
          lines.reduce((total, line) => total + part(line), 0);
        assert.ok(Math.abs(after.objective - before.objective - sum(({ delta }) => delta)) < 1e-6);
        assert.equal(
          after.delayMinutes,
          sum(({ delayMinutes }) => delayMinutes),
        );
        assert.deepEqual(after, scoreFromScratch(instance, plan, defaultWeights).score);
      }),
      { numRuns: 40 },
    );
  });
});
