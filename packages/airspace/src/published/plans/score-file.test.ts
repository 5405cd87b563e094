import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assertClose, goldenFiles, goldenText } from "../../../test/golden.ts";
import { importGolden } from "../../import/published-artifacts.ts";
import { readInventoryOptions } from "../hotspots/inventory-file.ts";
import { scorePublished } from "./score-file.ts";

interface Scores {
  readonly score_cases: readonly Record<string, unknown>[];
  readonly plan_objective_cases?: readonly Record<string, unknown>[];
}

describe("scoring files of the published planner", () => {
  for (const file of goldenFiles) {
    const text = { source: file.name, text: goldenText(file.name) };
    const instance = importGolden(text);
    it(`${file.name}: all score and plan cases of the file at once`, () => {
      const scores = scorePublished(instance, text, readInventoryOptions(text)) as Scores;
      const parts = ["label", "J_total", "components", "demand", "n", "delays_min", "occupancy"] as const;
      const expected = file.score_cases.map((example) =>
        Object.fromEntries(parts.map((part) => [part, example[part]])),
      );
      assertClose(scores.score_cases, expected);
      assertClose(
        scores.plan_objective_cases,
        file.plan_objective_cases?.map(({ plan: _, ...numbers }) => numbers),
      );
    });

    it(`${file.name}: one case, and one plan, in a file of its own`, () => {
      const own = (content: unknown) => ({ source: "own.json", text: JSON.stringify(content) });
      const [example] = file.score_cases;
      const score = scorePublished(instance, own(example)) as { J_total: number };
      assertClose(score.J_total, example.J_total);
      for (const { plan, final } of file.plan_objective_cases ?? []) {
        const whole = scorePublished(instance, own(plan), readInventoryOptions(text)) as { final: unknown };
        assertClose(whole.final, final);
      }
    });
  }

  it("keeps flows in the order of the file, also when names are numbers: the last one decides a flight in several", () => {
    const instance = importGolden({ source: "tiny2", text: goldenText("tiny2") });
    const scored = (flows: string) => {
      const text = `{"control_volume_id": "A", "window_bins": [36, 39], "flows": ${flows}, "rates": {"7": 4, "x": "inf"}}`;
      return scorePublished(instance, { source: "own.json", text }) as { delays_min: Record<string, number> };
    };
    const all = `["P1", "P2", "P3", "R1", "R2"]`;
    const slowLast = scored(`{"x": ${all}, "7": ${all}}`).delays_min;
    const slowFirst = scored(`{"7": ${all}, "x": ${all}}`).delays_min;
    assert.ok(Object.values(slowLast).some((minutes) => minutes > 0));
    assert.ok(Object.values(slowFirst).every((minutes) => minutes === 0));
  });

  it("reads cells as pairs and by volume alike", () => {
    const instance = importGolden({ source: "tiny2", text: goldenText("tiny2") });
    const example = {
      control_volume_id: "A",
      window_bins: [36, 39],
      flows: { P: ["P1", "P2", "P3"] },
    };
    const scored = (content: object) =>
      scorePublished(instance, { source: "own.json", text: JSON.stringify({ ...example, ...content }) }) as {
        J_total: number;
      };
    const pairs = scored({
      ripple_cells: [
        ["A", 33],
        ["B", 36],
        ["B", 37],
      ],
    });
    assert.deepEqual(scored({ ripple_cells: { A: [33], B: [36, 37] } }), pairs);
    assert.notEqual(pairs.J_total, scored({}).J_total);
  });

  it("counts exceedance at every volume in scope, and scores the section of cases with ripple cells", () => {
    const instance = importGolden({ source: "tiny2", text: goldenText("tiny2") });
    const example = {
      control_volume_id: "A",
      window_bins: [36, 39],
      flows: { P: ["P1", "P2", "P3"] },
      rates: { P: 4 },
    };
    const scored = (content: object) =>
      scorePublished(instance, { source: "own.json", text: JSON.stringify(content) }) as {
        occupancy: Record<string, object>;
        components: { J_cap: number };
        ripple_score_cases: object[];
      };
    const [alone, both] = [scored(example), scored({ ...example, scope: ["A", "B"] })];
    assert.deepEqual(
      [alone, both].map(({ occupancy }) => Object.keys(occupancy)),
      [["A"], ["A", "B"]],
    );
    const elsewhere = scored({ ...example, scope: ["B"] }).components.J_cap;
    assert.ok(Math.abs(both.components.J_cap - alone.components.J_cap - elsewhere) < 1e-9);
    const { label: _, ...first } = scored({ ripple_score_cases: [{ label: "own", ...example }] })
      .ripple_score_cases[0] as { label: string };
    assert.deepEqual(first, alone);
  });

  it("names what is wrong", () => {
    const instance = importGolden({ source: "tiny1", text: goldenText("tiny1") });
    const wrong = (content: unknown, message: RegExp) =>
      assert.throws(() => scorePublished(instance, { source: "case.json", text: JSON.stringify(content) }), message);
    const item = { control_volume_id: "A", window_bins: [16, 18], flows: { X: ["F1"] } };
    wrong({ ...item, control_volume_id: "Z" }, /tiny1 has no volume "Z"/);
    wrong({ ...item, window_bins: [18, 16] }, /window 18-16 must lie in bins 0 to 48 and not be empty/);
    wrong({ ...item, scope: ["A", "Z"] }, /tiny1 has no volume "Z"/);
    wrong({ ...item, scope: ["A", "A"] }, /case.json: scope: a volume is listed twice/);
    wrong({ ...item, flows: { X: ["F9"] } }, /flow X: tiny1 has no flight "F9"/);
    wrong([{ control_volume_id: "A", window_bins: [16, 18], flow_ids: ["0"] }], /case.json: regulation 1: no rate/);
  });
});
