import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { randomInstance } from "../../test/random-instance.ts";
import { checkPlan } from "./check-plan.ts";
import { inspectPlanFile } from "./plan-file.ts";

const day = randomInstance(1);
const line = { volume: 0, fromBin: 3, toBin: 9, flows: 1, ratePerHour: 12 };
const violations = (plan: (typeof line)[], evaluations?: number) =>
  Object.fromEntries(checkPlan(day, plan, evaluations).map((check) => [check.name, check.violations.length]));

describe("checking a plan", () => {
  it("finds nothing wrong with regulations that differ in window or flows", () => {
    assert.deepEqual(violations([line, { ...line, toBin: 10 }, { ...line, flows: 2 }], 400), {
      known_regulations: 0,
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

  it("names every regulation that is none, and numbers the others as the file does", () => {
    const own = (over: object) => ({ volume: "V0", window: [3, 9], flows: [0], rate: 12, ...over });
    const wrong = [{ volume: "XX" }, { window: [9, 3] }, { flows: [17] }, { rate: 0 }];
    const text = JSON.stringify([own({}), ...wrong.map(own), own({ rate: 5 })]);
    const inspected = inspectPlanFile({ source: "plan.json", text }, day);
    const [known, duplicates] = checkPlan(day, inspected.plan, undefined, inspected);
    assert.deepEqual(
      known.violations.map((violation) =>
        violation.match(/^regulation (\d): (unknown volume|window|unknown flow|rate)/)?.slice(1),
      ),
      [
        ["2", "unknown volume"],
        ["3", "window"],
        ["4", "unknown flow"],
        ["5", "rate"],
      ],
    );
    assert.equal(known.total, 6);
    assert.deepEqual(duplicates.violations, ["regulation 6 repeats regulation 1: V0 3-9 flows 0"]);
  });

  it("expects a search behind a plan that says how many it evaluated", () => {
    assert.equal(violations([line], 4).unique_evals, 1);
    assert.equal(violations([line], 5).unique_evals, 0);
    assert.equal(violations([line]).unique_evals, 0);
  });
});
