import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { type Plan, planKey } from "../network/regulation.ts";
import { KnownPlans } from "./known-plans.ts";

const line = fc.record({
  volume: fc.integer({ min: 0, max: 3 }),
  fromBin: fc.integer({ min: 0, max: 3 }),
  toBin: fc.integer({ min: 4, max: 7 }),
  flows: fc.constantFrom(1, 2, 3, -1),
  ratePerHour: fc.constantFrom(1, 2, 2.5, 2.25, 40),
});
const plans: fc.Arbitrary<Plan[]> = fc.array(fc.array(line, { maxLength: 3 }), { minLength: 1, maxLength: 60 });

/** What a map from texts says and forgets, beside the table. */
function check(sequence: readonly Plan[], most: number): void {
  const known = new KnownPlans(most);
  const twin = new Map<string, number>();
  sequence.forEach((plan, at) => {
    const key = planKey(plan);
    assert.equal(known.find(plan), twin.get(key) ?? Number.NaN, key);
    if (twin.size === most) twin.clear();
    twin.set(key, at);
    known.add(at);
  });
}

describe("plans that were scored before", () => {
  it("are known by what they say, as in a map from texts, and all forgotten when there are too many", () => {
    fc.assert(fc.property(plans, fc.integer({ min: 1, max: 20 }), check));
  });

  it("are told apart in a hundred thousand neighbours", () => {
    const base = { volume: 7, fromBin: 20, toBin: 40, flows: 3, ratePerHour: 30 };
    const neighbours = Array.from(
      { length: 100_000 },
      (_, k): Plan => [
        { ...base, ratePerHour: 1 + (k % 50), fromBin: Math.floor(k / 50) % 20 },
        { ...base, volume: Math.floor(k / 1000), flows: 1 + (k % 7) },
      ],
    );
    check(neighbours, 50_000);
  });

  it("need a table that is at most half full", () => {
    assert.throws(() => new KnownPlans(0), /from 1 to 65536 plans can be known, not 0/);
    assert.throws(() => new KnownPlans(65_537), RangeError);
  });
});
