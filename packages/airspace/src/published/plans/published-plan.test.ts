import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assertClose, goldenFiles, goldenText } from "../../../test/golden.ts";
import { importGolden } from "../../import/published-artifacts.ts";
import { readInventoryOptions } from "../hotspots/inventory-file.ts";
import { publishedScore, readPublishedPlan } from "./published-plan.ts";

describe("published plan objectives", () => {
  for (const file of goldenFiles) {
    const instance = importGolden({ source: file.name, text: goldenText(file.name) });
    for (const example of file.plan_objective_cases ?? []) {
      it(`${file.name}: objectives of "${example.label}"`, () => {
        const plan = readPublishedPlan({ source: "plan", text: JSON.stringify(example.plan) }, instance);
        const { final, system } = publishedScore(
          instance,
          plan,
          readInventoryOptions({ source: file.name, text: goldenText(file.name) }),
        );
        assertClose(final, example.final);
        assertClose(system, example.system);
      });
    }
  }
});

describe("published plan files", () => {
  const instance = importGolden({ source: "medium1", text: goldenText("medium1") });
  const read = (...items: object[]) =>
    readPublishedPlan({ source: "p.json", text: JSON.stringify({ plan: items }) }, instance);
  const item = { control_volume_id: "TV000", window_bins: [28, 42], flow_ids: ["0"] };

  it("take rates per flow or one for all, as exported or as committed", () => {
    assert.deepEqual(read({ ...item, rates_per_flow: { "0": 12 }, blanket_rate: null })[0].rates, { "0": 12 });
    assert.equal(read({ ...item, rates_per_flow: null, blanket_rate: 30 })[0].mode, "blanket");
    assert.equal(read({ ...item, mode: "blanket", committed_rates: 30 })[0].rates, 30);
  });

  const wrongs: [string, object, RegExp][] = [
    ["no rate", item, /p\.json: regulation 1: no rate; give rates_per_flow or blanket_rate/],
    ["a rate of 0", { ...item, blanket_rate: 0 }, /a rate must be above 0/],
    ["an empty window", { ...item, window_bins: [28, 28], blanket_rate: 9 }, /window 28-28 is empty/],
    [
      "a window past the day",
      { ...item, window_bins: [90, 97], blanket_rate: 9 },
      /leaves the day, which has bins 0 to 96/,
    ],
    ["no flows", { ...item, flow_ids: [], blanket_rate: 9 }, /regulation 1: no flows/],
    ["an unknown volume", { ...item, control_volume_id: "X", blanket_rate: 9 }, /no volume "X"/],
    ["a mode that does not fit", { ...item, mode: "per_flow", blanket_rate: 9 }, /mode per_flow needs a rate per flow/],
  ];
  for (const [what, wrong, message] of wrongs) {
    it(`refuse ${what}`, () => assert.throws(() => read(wrong), message));
  }

  it("are scored on flows grouped in their own window when that is no hotspot, and name an unknown flow", () => {
    const wider = { ...item, window_bins: [20, 50], blanket_rate: 12 };
    const grouping = readInventoryOptions({ source: "medium1", text: goldenText("medium1") });
    assert.ok(publishedScore(instance, read(wider), grouping).final.components.J_delay > 0);
    const unknown = read({ ...wider, flow_ids: ["north"] });
    assert.throws(() => publishedScore(instance, unknown, grouping), /no flow "north"; the hotspot has 0/);
  });
});
