import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { dice } from "../../test/dice.ts";
import { randomInstance } from "../../test/random-instance.ts";
import { randomPlan } from "../../test/random-plan.ts";
import { flowSet } from "../network/regulation.ts";
import { defaultWeights } from "../network/weights.ts";
import { planFileContent } from "./plan-content.ts";
import { readPlanFile } from "./plan-file.ts";

const day = randomInstance(1);
const flowCount = day.flowNames[0].length;
const read = (content: unknown) =>
  readPlanFile({ source: "plan.json", text: typeof content === "string" ? content : JSON.stringify(content) }, day);
const line = (over: object) => ({ volume: "V0", window: [3, 9], flows: [0], rate: 12, ...over });

describe("a plan file", () => {
  it("is read back as it was written", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const plan = randomPlan(day, dice(seed)).flatMap((regulation) => {
          const flows = regulation.flows & (2 ** day.flowNames[regulation.volume].length - 1);
          return flows === 0 ? [] : [{ ...regulation, flows }];
        });
        const { plan: again, weights } = read(planFileContent(plan, day, defaultWeights));
        assert.deepEqual(again, plan);
        assert.deepEqual(weights, defaultWeights);
      }),
    );
  });

  it("may be a bare list, with bins as b0 and b1, and all flows when none are named", () => {
    const { plan } = read([{ volume: "V0", b0: 3, b1: 9, rate: 12 }]);
    assert.deepEqual(plan, [{ volume: 0, fromBin: 3, toBin: 9, flows: 2 ** flowCount - 1, ratePerHour: 12 }]);
  });

  it("may be of the published form: a line per rated flow, or one for all", () => {
    const name = day.flowNames[0][0];
    const item = { control_volume_id: "V0", window_bins: [3, 9], flow_ids: [name], mode: "per_flow" };
    const { plan } = read({
      plan: [
        { ...item, rates_per_flow: { [name]: 7 }, blanket_rate: null },
        { ...item, rates_per_flow: null, blanket_rate: 9 },
      ],
    });
    assert.deepEqual(
      plan,
      [7, 9].map((ratePerHour) => ({ volume: 0, fromBin: 3, toBin: 9, flows: flowSet([0]), ratePerHour })),
    );
  });

  it("takes a number for a flow's number and a text for its name, also where a name looks like a number", () => {
    const renamed = {
      ...day,
      flowNames: day.flowNames.map((names) => names.map((_, k) => String(names.length - 1 - k))),
    };
    const flowsOf = (flows: unknown) =>
      readPlanFile({ source: "plan.json", text: JSON.stringify([line({ flows })]) }, renamed).plan[0].flows;
    assert.equal(flowsOf([0]), flowSet([0]));
    assert.equal(flowsOf(["0"]), flowSet([flowCount - 1]));
    assert.throws(() => read([line({ flows: ["0"] })]), /unknown flow "0"; V0 has /);
  });

  it("is refused with one line that names the regulation and what is wrong", () => {
    const wrong: readonly (readonly [unknown, RegExp])[] = [
      ["[", /^UsageError: plan\.json: not JSON/],
      ["[NaN]", /plan\.json: not JSON/],
      [{ regulations: [] }, /plan\.json: a plan is a list of regulations/],
      [[line({}), line({ volume: "XX" })], /plan\.json: regulation 2: unknown volume "XX"/],
      [[line({ window: [3, 3] })], /regulation 1: window 3-3 is empty/],
      [
        [line({ window: [9, 3] })],
        /regulation 1: window 9-3 ends before it begins; split a window that goes past the end/,
      ],
      [[line({ window: [9, 999] })], /regulation 1: window 9-999 leaves the day/],
      [[line({ window: [-1, 4] })], /regulation 1: window -1-4 leaves the day/],
      [[line({ window: undefined })], /regulation 1: no window/],
      [[line({ flows: [17] })], /regulation 1: unknown flow 17; V0 has flows 0 to \d/],
      [[line({ flows: ["nowhere"] })], /regulation 1: unknown flow "nowhere"/],
      [[line({ flows: [] })], /regulation 1: no flows/],
      [[line({ rate: 0 })], /regulation 1: rate 0; it must be above 0/],
      [[line({ rate: -3 })], /regulation 1: rate -3; it must be above 0/],
      [[line({ rate: "12" })], /regulation 1: rate: it must be a number, not a text in quotes/],
      [[7], /regulation 1: it must be an object/],
      [
        [{ volume: "V0", window: [3, 9], flow: [0], rate: 12 }],
        /regulation 1: unknown field "flow": did you mean "flows"\?/,
      ],
      [
        [{ control_volume_id: "V0", window_bins: [3, 9], flow_ids: ["0"], blanket_rate: 9 }],
        /regulation 1: unknown flow "0"; V0 has /,
      ],
      [
        [{ control_volume_id: "V0", window_bins: [3, 9], rates_per_flow: { 0: 9 } }],
        /regulation 1: unknown flow "0"; V0 has /,
      ],
      [
        [{ control_volume_id: "V0", window_bins: [1, 2] }],
        /regulation 1: no rate; give rates_per_flow or blanket_rate/,
      ],
    ];
    for (const [content, message] of wrong) {
      assert.throws(() => read(content), message);
      assert.throws(
        () => read(content),
        (error: Error) => !error.message.includes("\n"),
      );
    }
  });
});
