import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { soak } from "@coppice/engine/soak";
import fc from "fast-check";
import { arbitrarySpace } from "../../test/arbitrary-space.ts";
import { studied } from "../../test/studied.ts";
import { METHODS, type SamplerName, suggestedMethod } from "../samplers/method.ts";
import { boolean, choice, defineSpace, integer, real, when } from "../space/define-space.ts";
import { pointOf, type SearchSpace } from "../space/search-space.ts";
import type { Configuration } from "../tournament/parameter.ts";

const methods = METHODS.filter((name) => name !== "halving" && name !== "hyperband");
const bowl = defineSpace({ x: real(-5, 5), y: real(-5, 5) });
const distance = ({ x, y }: Configuration) => (Number(x) - 3.2) ** 2 + (Number(y) + 1.7) ** 2;

/** A value of anything: some points fail, some have no number. */
function anyValue(point: Configuration): unknown {
  const text = JSON.stringify(point);
  let sum = 0;
  for (const letter of text) sum = (sum * 31 + letter.charCodeAt(0)) % 1009;
  if (sum % 7 === 0) throw new Error(`no value of ${sum}`);
  return sum % 11 === 0 ? Number.POSITIVE_INFINITY : sum;
}

describe("a study", () => {
  it("tries only points of its space, whatever the method, the window and the failures, and the same ones again", () => {
    const options = fc.record({
      method: fc.constantFrom<SamplerName>(...methods),
      window: fc.integer({ min: 1, max: 12 }),
      seed: fc.nat(),
      repeats: fc.constantFrom(1, 1, 2),
    });
    fc.assert(
      fc.property(arbitrarySpace(), options, (space, { method, ...more }) => {
        const first = studied(method, space, anyValue, more);
        for (const { point } of first.trials)
          assert.ok(Array.isArray(pointOf(space, point)), String(pointOf(space, point)));
        assert.ok(first.trials.length === 30 || /only \d+ point/.test(first.ended), first.ended);
        assert.deepEqual(studied(method, space, anyValue, more), first);
      }),
      { numRuns: soak(60, 2000) },
    );
  });

  it("goes on with more trials as one run would have, whatever the method and the window", () => {
    const options = fc.record({
      method: fc.constantFrom<SamplerName>(...methods),
      window: fc.integer({ min: 1, max: 12 }),
      seed: fc.nat(),
      before: fc.integer({ min: 1, max: 40 }),
    });
    fc.assert(
      fc.property(arbitrarySpace(), options, (space, { method, before, ...more }) => {
        const whole = studied(method, space, anyValue, { ...more, trials: 40 });
        const part = studied(method, space, anyValue, { ...more, trials: before });
        assert.deepEqual(part.trials, whole.trials.slice(0, part.trials.length));
        let asked = 0;
        const counted = (point: Configuration) => {
          asked++;
          return anyValue(point);
        };
        const more2 = studied(method, space, counted, { ...more, trials: 40, answered: part.trials });
        assert.deepEqual(more2, whole);
        assert.equal(asked, whole.trials.length - part.trials.length);
      }),
      { numRuns: soak(60, 2000) },
    );
  });

  it("finds the bottom of a bowl, better than chance", () => {
    const median = (method: SamplerName) => {
      const found = [1, 2, 3, 4, 5].map((seed) => {
        const { trials, best } = studied(method, bowl, distance, { trials: 80, seed });
        return trials[best ?? 0].values?.[0] ?? Number.POSITIVE_INFINITY;
      });
      return found.toSorted((a, b) => a - b)[2];
    };
    const chance = median("random");
    assert.ok(median("tpe") < chance / 3, `tpe ${median("tpe")}, chance ${chance}`);
    assert.ok(median("steps") < chance / 3, `steps ${median("steps")}, chance ${chance}`);
    assert.ok(median("cma-es") < chance / 10, `cma-es ${median("cma-es")}, chance ${chance}`);
  });

  it("is not changed by the window where nothing is learned from a part", () => {
    for (const method of ["random", "halton", "cma-es", "nsga2"] as const) {
      const [one, many] = [1, 50].map((window) => studied(method, bowl, distance, { window, trials: 60 }));
      assert.deepEqual(many, one, method);
    }
  });

  it("makes large what is wanted large, and keeps the first of equal ones", () => {
    const result = studied("tpe", bowl, (point) => Math.round(-distance(point)), {
      goals: [{ name: "height", better: "higher" }],
      trials: 60,
    });
    const best = Math.max(...result.trials.map(({ values }) => values?.[0] ?? Number.NEGATIVE_INFINITY));
    assert.equal(
      result.best,
      result.trials.findIndex(({ values }) => values?.[0] === best),
    );
    assert.ok(best > -1);
  });

  it("tries every point of a small space once, and says that there are no more", () => {
    const small = defineSpace({ a: integer(1, 3), b: boolean(), c: when({ b: true }, choice(["u", "v"])) });
    for (const method of methods) {
      const { trials, ended } = studied(method, small, ({ a }) => a);
      assert.equal(new Set(trials.map(({ point }) => JSON.stringify(point))).size, 9, method);
      assert.equal(ended, "the space has only 9 points, and all were tried");
    }
    const none = defineSpace({ a: integer(1, 3) }, () => false);
    assert.equal(studied("tpe", none, () => 1).ended, "none of the space's 3 points keeps its constraints");
    const never = defineSpace({ a: real(1, 3) }, () => false);
    assert.match(
      studied("tpe", never, () => 1).ended,
      /^none of the 10100 points that were tried keeps its constraints$/,
    );
  });

  it("keeps constraints, also where few points do", () => {
    const narrow = defineSpace({ x: real(0, 1), y: real(0, 1) }, ({ x, y }) => x + y < 0.1);
    for (const method of methods) {
      const { trials } = studied(method, narrow, ({ x, y }) => -Number(x) - Number(y));
      assert.equal(trials.length, 30);
      for (const { point } of trials) assert.ok(Number(point.x) + Number(point.y) < 0.1, method);
    }
  });

  it("begins with given points, then with what earlier runs know", () => {
    const first = [
      [1, 2],
      [3, -1.5],
    ];
    const { trials } = studied("tpe", bowl, distance, { first, trials: 5 });
    assert.deepEqual(
      trials.slice(0, 2).map(({ point }) => point),
      [
        { x: 1, y: 2 },
        { x: 3, y: -1.5 },
      ],
    );
    const earlier = studied("halton", bowl, distance, { trials: 60 }).trials.map(({ point, values }) => ({
      point: [Number(point.x), Number(point.y)],
      values,
    }));
    const mean = (warm: boolean) => {
      const found = studied("tpe", bowl, distance, { trials: 12, ...(warm ? { earlier } : {}) }).trials;
      return found.reduce((sum, { values }) => sum + (values?.[0] ?? 0), 0) / found.length;
    };
    assert.ok(mean(true) < mean(false) / 2, `${mean(true)} ${mean(false)}`);
  });

  it("stops when nothing is gained for a while or the target is reached, and says so", () => {
    const still = studied("random", bowl, () => 1, { patience: 5, window: 1 });
    assert.deepEqual([still.trials.length, still.ended], [6, "no gain in 5 trials"]);
    const reached = studied("tpe", bowl, distance, { target: 4, trials: 500, window: 1 });
    assert.equal(reached.ended, "the target 4 was reached");
    assert.equal(reached.best, reached.trials.length - 1);
    const last = studied("tpe", bowl, distance, { target: 4, trials: reached.trials.length, window: 1 });
    assert.equal(last.ended, "the target 4 was reached");
  });

  it("takes the mean of repeated evaluations and says how far they lie apart", () => {
    const { trials } = studied("random", bowl, (_, ask) => ask % 3, { repeats: 3, trials: 4 });
    assert.deepEqual(
      trials.map(({ values, spread }) => [values, spread]),
      new Array(4).fill([[1], [1]]),
    );
    const broken = studied("random", bowl, (_, ask) => (ask === 4 ? "x" : 1), { repeats: 3, trials: 3 });
    assert.deepEqual(
      broken.trials.map(({ values, failure }) => failure ?? values),
      [[1], 'the value is "x", not a number', [1]],
    );
  });

  it("has the trials that none is better than in every objective, and fails those that lack one", () => {
    const goals = [
      { name: "near", better: "lower" },
      { name: "high", better: "higher" },
    ] as const;
    const value = ({ x }: Configuration, ask: number) => {
      if (ask % 2 === 1) return { near: Number(x) };
      return { near: Math.abs(Number(x)), high: Math.abs(Number(x) - 2) * -1 };
    };
    const { trials, front = [], best, failed } = studied("nsga2", bowl, value, { goals, trials: 120 });
    assert.equal(best, null);
    assert.equal(failed, 60);
    assert.equal(trials[1].failure, "high is missing");
    const told = trials.flatMap(({ values }) => (values === null ? [] : [values]));
    for (const i of front) {
      const own = trials[i].values ?? [];
      assert.ok(!told.some((v) => v[0] <= own[0] && v[1] >= own[1] && (v[0] < own[0] || v[1] > own[1])));
      assert.ok(Number(trials[i].point.x) > -0.5 && Number(trials[i].point.x) < 2.5);
    }
    assert.ok(front.length > 5);
  });
});

describe("the suggested method", () => {
  const suggested = (space: SearchSpace, more: object = {}) =>
    suggestedMethod({ space, objectives: 1, trials: 200, hasBudget: false, ...more });

  it("follows from objectives, budget, kinds and trials, and says why", () => {
    assert.deepEqual(suggested(bowl, { objectives: 2 }), { method: "nsga2", why: "there are 2 objectives" });
    assert.equal(suggested(bowl, { hasBudget: true }).method, "hyperband");
    assert.equal(suggested(bowl).method, "cma-es");
    assert.equal(suggested(bowl, { trials: 60 }).why, "60 trials are few for 2 numbers (CMA-ES from 80)");
    assert.equal(suggested(bowl, { trials: 12 }).method, "halton");
    const small = defineSpace({ a: integer(1, 3), b: boolean() });
    assert.equal(suggested(small).why, "all 6 points can be tried in 200 trials");
    const mixed = defineSpace({ x: real(0, 1), b: boolean() });
    assert.equal(suggested(mixed).why, "1 of 2 parameters are choices");
  });
});
