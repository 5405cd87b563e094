import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { randomInstance } from "../../test/random-instance.ts";
import { checkPlan } from "./check-plan.ts";

const day = randomInstance(1);
const line = { volume: 0, fromBin: 3, toBin: 9, flows: 1, ratePerHour: 12 };
const violations = (plan: (typeof line)[], evaluations?: number) =>
  Object.fromEntries(checkPlan(day, plan, evaluations).map((check) => [check.name, check.violations.length]));

describe("checking a plan", () => {
  it("finds nothing wrong with regulations that differ in window or flows", () => {
    assert.deepEqual(violations([line, { ...line, toBin: 10 }, { ...line, flows: 2 }], 400), {
      no_duplicate_regulations: 0,
      flows_and_rates: 0,
      unique_evals: 0,
    });
  });

  it("names what is there twice, whatever its rate, and what does nothing", () => {
    assert.equal(violations([line, { ...line, ratePerHour: 4 }, line]).no_duplicate_regulations, 2);
    assert.equal(
      violations([
        { ...line, flows: 0 },
        { ...line, ratePerHour: 0 },
      ]).flows_and_rates,
      2,
    );
  });

  it("expects a search behind a plan that says how many it evaluated", () => {
    assert.equal(violations([line], 4).unique_evals, 1);
    assert.equal(violations([line], 5).unique_evals, 0);
    assert.equal(violations([line]).unique_evals, 0);
  });
});
