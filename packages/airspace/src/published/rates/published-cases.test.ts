import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { goldenText } from "../../../test/golden.ts";
import { importGolden } from "../../import/published-artifacts.ts";
import { readPublishedCases } from "./published-cases.ts";

const instance = importGolden({ source: "tiny1", text: goldenText("tiny1") });
const search = { control_volume_id: "A", window_bins: [16, 18], mode: "per_flow", flows: { X: ["F1"] } };
const read = (content: unknown) =>
  readPublishedCases(
    { source: "case.json", text: typeof content === "string" ? content : JSON.stringify(content) },
    instance,
  );

describe("published rate searches", () => {
  it("keep their flows in the order of the file, also when names are numbers", () => {
    const flows = '{ "remaining": ["F1"], "10": ["F2"], "2": ["F3"] }';
    const text = JSON.stringify({ ...search, flows: "FLOWS" }).replace('"FLOWS"', flows);
    const [{ task }] = read(text);
    assert.deepEqual(
      task.flows.map((flow) => flow.id),
      ["remaining", "10", "2"],
    );
  });

  it("are read one at a time or as a list, with options and weights under their names here", () => {
    const config = {
      rate_grid: ["inf", 6],
      passes: 3,
      max_eval_calls: 9,
      use_adaptive_grid: true,
      objective_weights: { lambda_delay: 2 },
    };
    const [alone] = read({ ...search, label: "alone", config });
    assert.equal(alone.label, "alone");
    assert.deepEqual(alone.options, {
      rateGrid: [Number.POSITIVE_INFINITY, 6],
      passes: 3,
      maxEvaluations: 9,
      adaptiveGrid: true,
    });
    assert.deepEqual(alone.weights, { lambdaDelay: 2 });
    assert.deepEqual(
      read({ rate_finder_cases: [search, search] }).map(({ label }) => label),
      ["search 1", "search 2"],
    );
  });

  const wrongs: [string, object, RegExp][] = [
    [
      "a window past the day",
      { ...search, window_bins: [40, 50] },
      /case\.json: search 1: window 40-50 leaves the day/,
    ],
    ["an unknown volume", { ...search, control_volume_id: "Z" }, /no volume "Z"/],
    ["an unknown flight", { ...search, flows: { "7": ["F9"] } }, /flow 7: tiny1 has no flight "F9"/],
    ["the fast scorer", { ...search, config: { fast_scorer_enabled: true } }, /fast scorer/],
    ["something else", { flights: 3 }, /case\.json: control_volume_id: /],
  ];
  for (const [what, content, message] of wrongs) {
    it(`refuse ${what}`, () => assert.throws(() => read(content), message));
  }
});
