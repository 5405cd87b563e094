import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import fc from "fast-check";
import { dice } from "../../test/dice.ts";
import { randomInstance } from "../../test/random-instance.ts";
import { randomPlan } from "../../test/random-plan.ts";
import type { Instance } from "../instance/instance.ts";
import type { Plan } from "../network/regulation.ts";
import { scoreFromScratch } from "../network/score-from-scratch.ts";
import { defaultWeights, type Weights } from "../network/weights.ts";
import { planFileContent } from "../plan/plan-content.ts";
import { comparePlans, comparisonText } from "./compare-plans.ts";

const folder = mkdtempSync(join(tmpdir(), "coppice-compare-"));
after(() => rmSync(folder, { recursive: true }));

function written(name: string, plan: Plan, day: Instance, weights: Weights = defaultWeights): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(planFileContent(plan, day, weights)));
  return path;
}

/** Lines whose flows exist at their volume, as a file must have them. */
function filedPlan(day: Instance, seed: number): Plan {
  return randomPlan(day, dice(seed)).flatMap((line) => {
    const flows = line.flows & (2 ** day.flowNames[line.volume].length - 1);
    return flows === 0 ? [] : [{ ...line, flows }];
  });
}

describe("comparing two plans", () => {
  it("says the same whichever comes first, and counts every line once", () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.boolean(), (seed, other, dearer) => {
        const day = randomInstance(seed);
        const [plan, second] = [filedPlan(day, seed), [...filedPlan(day, seed).slice(1), ...filedPlan(day, other)]];
        const a = written("a.json", plan, day);
        const b = written("b.json", second, day, dearer ? { ...defaultWeights, delayMinute: 1 } : defaultWeights);
        const [there, back] = [comparePlans(a, b, day, {}), comparePlans(b, a, day, {})];
        assert.deepEqual(
          [back.a, back.b, back.weights, back.delta],
          [there.b, there.a, there.weights, 0 - there.delta],
        );
        assert.deepEqual(back.waiting, {
          longerWithA: there.waiting.longerWithB,
          longerWithB: there.waiting.longerWithA,
        });
        const mirrored = back.changed.map((pair) => `${pair.b} ${pair.a}`).sort();
        assert.deepEqual(mirrored, there.changed.map((pair) => `${pair.a} ${pair.b}`).sort());
        assert.equal(there.notices.length, dearer ? 1 : 0);
        const unique = new Set(plan.map((line) => JSON.stringify(line)));
        if (unique.size === plan.length) {
          assert.equal(there.a.only.length + there.changed.length + there.same.length, plan.length);
        }
        const delays = [plan, second].map((each) => scoreFromScratch(day, each, there.weights).score.delayMinutes);
        const { longerWithA, longerWithB } = there.waiting;
        assert.equal(longerWithB.minutes - longerWithA.minutes, delays[1] - delays[0]);
      }),
      { numRuns: 40 },
    );
  });

  it("pairs lines that changed, and says when a plan is of another day", () => {
    const day = randomInstance(1);
    const line = { volume: 0, fromBin: 3, toBin: 9, flows: 1, ratePerHour: 12 };
    const a = written("a.json", [line, { ...line, fromBin: 12, toBin: 15 }], day);
    const b = written("b.json", [{ ...line, toBin: 10 }], { ...day, name: "elsewhere" });
    const comparison = comparePlans(a, b, day, {});
    assert.deepEqual(
      comparison.changed.map((pair) => [pair.a.includes(" at 12/h"), pair.a === pair.b]),
      [[true, false]],
    );
    assert.deepEqual([comparison.a.only.length, comparison.b.only], [1, []]);
    assert.deepEqual(comparison.notices, [`${b} was made for elsewhere, not for ${day.name}`]);
    assert.match(
      comparisonText(comparison),
      /prices: 1 per flight above capacity, 0\.02 per minute of delay, 5 per reg/,
    );
  });
});
