import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { drainTimers, enableTimers } from "@coppice/engine/timers";
import { assertClose, goldenText } from "../../test/golden.ts";
import { goldenSearches } from "../../test/golden-rates.ts";
import { importGolden } from "../import/published-artifacts.ts";
import { volumeOfId } from "../instance/instance.ts";
import { publishedFinding } from "../published/rates/published-finding.ts";
import { publishedModels } from "../published/rates/published-model.ts";
import { flowsOfIds } from "../published/scoring/controlled-flows.ts";
import { RateFinder } from "./rate-finder.ts";

const tiny1 = importGolden({ source: "tiny1", text: goldenText("tiny1") });
const everyone = {
  volume: volumeOfId(tiny1, "A"),
  window: [16, 18],
  mode: "per_flow",
  flows: flowsOfIds(tiny1, { X: ["F1", "F2"], Y: ["F3", "F4"] }),
} as const;

describe("rate finder, reference semantics", () => {
  for (const { name, example, task, finder: fresh } of goldenSearches) {
    it(`${name}: rates, history, counts and the second call`, () => {
      const finder = fresh();
      const place = { volumeId: example.control_volume_id, window: example.window_bins, mode: example.mode };
      const { rates, delta_j, diagnostics } = publishedFinding(place, finder.find(task));
      assertClose(rates, example.rates, "rates");
      assertClose(delta_j, example.delta_j, "delta_j");
      assertClose(diagnostics, example.diagnostics, "diagnostics");

      const second = publishedFinding(place, finder.find(task));
      const { eval_calls, cache_hits } = second.diagnostics;
      assertClose({ eval_calls, cache_hits, delta_j: second.delta_j, rates: second.rates }, example.second_call);
    });
  }

  it("finds nothing to do without flows", () => {
    const finder = new RateFinder(publishedModels(tiny1));
    assert.equal(finder.find({ ...everyone, flows: [] }), undefined);
    const place = { volumeId: "A", window: everyone.window, mode: "blanket" } as const;
    assert.deepEqual(publishedFinding(place, undefined).rates, "inf");
    assert.equal(publishedFinding(place, undefined).diagnostics.reason, "no_flows");
  });

  it("takes an empty window as its first bin", () => {
    const finder = new RateFinder(publishedModels(tiny1));
    const empty = finder.find({ ...everyone, window: [16, 16] });
    const one = new RateFinder(publishedModels(tiny1)).find({ ...everyone, window: [16, 17] });
    assert.deepEqual(empty, one);
  });

  it("suggests rates from demand: no rate first, at most as many as allowed, all at least 1", () => {
    const options = { adaptiveGrid: true, rateGrid: [], maxAdaptiveCandidates: 5 };
    const grid = new RateFinder(publishedModels(tiny1), options).find(everyone)?.grid ?? [];
    assert.equal(grid[0], Number.POSITIVE_INFINITY);
    assert.ok(grid.length <= 5 && grid.length > 1);
    assert.ok(grid.every((rate) => rate >= 1));
  });

  it("forgets the scores unused for longest and evaluates them again, with the same answer", () => {
    const large = new RateFinder(publishedModels(tiny1)).find(everyone);
    const finder = new RateFinder(publishedModels(tiny1), { cacheSize: 2 });
    const small = finder.find(everyone);
    const again = finder.find(everyone);
    assert.ok(large !== undefined && small !== undefined && again !== undefined);
    assert.deepEqual([small.rates, small.deltaJ, small.history], [large.rates, large.deltaJ, large.history]);
    assert.ok(small.evaluations > large.evaluations || small.cacheHits < large.cacheHits);
    assert.ok(again.evaluations > 0, "a small memory cannot answer everything");
  });

  it("refuses rates that are none and options out of range, naming them", () => {
    const models = publishedModels(tiny1);
    assert.throws(() => new RateFinder(models, { rateGrid: [0] }), /rate grid: 0 is not a rate/);
    assert.throws(() => new RateFinder(models, { rateGrid: [Number.NaN] }), /rate grid: NaN is not a rate/);
    assert.throws(() => new RateFinder(models, { passes: 0 }), /passes: 0; it must be a whole number of at least 1/);
    assert.throws(() => new RateFinder(models, { epsilon: -1 }), /epsilon: -1; it must be 0 or more/);
  });

  it("keeps the published stale counts: other flows of a volume are scored against those of the first call", () => {
    const first = { ...everyone, flows: flowsOfIds(tiny1, { X: ["F1", "F2"] }) };
    const other = { ...everyone, flows: flowsOfIds(tiny1, { Z: ["F3", "F4"] }) };
    const fresh = new RateFinder(publishedModels(tiny1)).find(other);
    const finder = new RateFinder(publishedModels(tiny1));
    finder.find(first);
    assert.notEqual(finder.find(other)?.baseline.objective, fresh?.baseline.objective);
    assert.deepEqual(finder.find({ ...other, planKey: "another state of the plan" }), fresh);
  });

  it("refuses a mode that is neither", () => {
    const task = { ...everyone, mode: "both" as "blanket" };
    assert.throws(() => new RateFinder(publishedModels(tiny1)).find(task), /mode both: it must be per_flow or blanket/);
  });

  it("F-01: times every phase under its published name", () => {
    enableTimers(true);
    try {
      new RateFinder(publishedModels(tiny1), { adaptiveGrid: true }).find(everyone);
      const names = Object.keys(drainTimers()).sort();
      assert.deepEqual(names, [
        "mcts.rate_finder.find_rates",
        "rate_finder.build_adaptive_rate_grid",
        "rate_finder.build_capacities",
        "rate_finder.build_flights_by_flow",
        "rate_finder.build_schedule",
        "rate_finder.build_score_context",
        "rate_finder.compute_entrants",
        "rate_finder.ensure_context_and_baseline",
        "rate_finder.evaluate_candidate",
        "rate_finder.resolve_rate_grid",
        "rate_finder.score_with_context.baseline",
        "rate_finder.score_with_context.candidate",
      ]);
    } finally {
      enableTimers(false);
    }
  });
});
