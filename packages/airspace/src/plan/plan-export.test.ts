import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cutDownDay } from "../../test/cut-down-day.ts";
import { defaultWeights } from "../network/weights.ts";
import { makePlan } from "../planner/make-plan.ts";
import { PopulationSearch } from "../planner/population/population-search.ts";
import { SegmentRunner } from "../planner/population/run-segment.ts";
import { RootSearch } from "../planner/root-search.ts";
import { checkPlan } from "./check-plan.ts";
import { planExport } from "./plan-export.ts";
import { readPlanFile } from "./plan-file.ts";

const day = cutDownDay();
const options = { policy: "default", seed: 1, evaluations: 1500, without: [] } as const;

const plain = { ...options, policy: "plain", evaluations: 200 } as const;

function exported(lost = false) {
  const search = new RootSearch(options, 2);
  const planning = makePlan(day, defaultWeights, options);
  search.tell({ ok: true, value: planning });
  if (lost) search.tell({ ok: false, failure: { type: "WorkerLost", message: "gone" } });
  const text = JSON.stringify(planExport(day, defaultWeights, search.result()));
  return { planning, text, content: JSON.parse(text) };
}

describe("an exported plan", () => {
  it("F-49: is read back as the plan it was, with its prices, and passes validation", () => {
    const { planning, text } = exported();
    const file = readPlanFile({ source: "plan.json", text }, day);
    assert.ok(planning.plan.length > 0);
    assert.deepEqual(file, { plan: planning.plan, weights: defaultWeights, day: day.name });
    for (const { violations } of checkPlan(day, file.plan, planning.evaluations)) assert.deepEqual(violations, []);
  });

  it("F-49: says under the published names what it costs, why the search ended and what it did", () => {
    const { planning, content } = exported();
    const { objective, commits, stop_reason, stop_info, action_counts, time_bin_minutes, unique_evals } = content;
    assert.equal(objective, planning.score.objective);
    assert.deepEqual([commits, time_bin_minutes, unique_evals], [planning.plan.length, 15, undefined]);
    assert.deepEqual([stop_reason, stop_info], ["evaluations_exhausted", { evaluations: 1500, roots: 1 }]);
    assert.deepEqual(action_counts, planning.actionCounts);
    const [line] = content.plan;
    assert.deepEqual(line.window_bins, [planning.plan[0].fromBin, planning.plan[0].toBin]);
    assert.match(line.window_labels.start, /^\d\d:\d\d-\d\d:\d\d$/);
    assert.deepEqual(
      [line.mode, line.rates_per_flow, line.blanket_rate],
      ["blanket", null, planning.plan[0].ratePerHour],
    );
  });

  it("F-49: counts the ends of episodes that were evaluated, each once; where nobody counts, it says nothing", () => {
    const search = new RootSearch(options, 2);
    for (const seed of [1, 2]) search.tell({ ok: true, value: makePlan(day, defaultWeights, { ...plain, seed }) });
    const result = search.result();
    const { unique_evals } = JSON.parse(JSON.stringify(planExport(day, defaultWeights, result)));
    const ends = [1, 2].map(
      (seed) => makePlan(day, defaultWeights, { ...plain, seed }).episodes?.terminalEvaluations ?? 0,
    );
    assert.equal(unique_evals, ends[0] + ends[1]);
    assert.ok(unique_evals < result.evaluations, "those that find rates in the end are not among them");
    assert.equal(exported().content.unique_evals, undefined);
  });

  it("names roots that were dropped", () => {
    assert.deepEqual(exported(true).content.stop_info.dropped, [{ root: 1, failure: "gone" }]);
  });

  it("says how many walkers and rounds there were, and which segments were lost", () => {
    const search = new PopulationSearch(options, { walkers: 2, rounds: 3 });
    const runner = new SegmentRunner(day, defaultWeights);
    for (let proposal = search.ask(); proposal.kind === "candidate"; proposal = search.ask()) {
      const { candidate } = proposal;
      const isLost = candidate.round === 1 && candidate.walker === 0;
      const lost = { ok: false, failure: { type: "WorkerLost", message: "gone" } } as const;
      search.tell(isLost ? lost : { ok: true, value: runner.run(candidate) });
    }
    const { evaluations, best } = search.result();
    const content = JSON.parse(JSON.stringify(planExport(day, defaultWeights, search.result())));
    const dropped = [{ round: 1, walker: 0, failure: "gone" }];
    assert.deepEqual(content.stop_info, { evaluations, walkers: 2, rounds: 3, dropped });
    assert.equal(content.objective, best?.score.objective);
    assert.equal(content.commits, best?.plan.length);
  });

  it("labels windows by the clock, also where the day does not begin at midnight", () => {
    const search = new RootSearch(options, 1);
    const planning = makePlan(day, defaultWeights, { ...options, policy: "empty" });
    const line = { volume: 0, fromBin: 0, toBin: 4, flows: 1, ratePerHour: 5 };
    search.tell({ ok: true, value: { ...planning, plan: [line] } });
    const content = JSON.parse(JSON.stringify(planExport(day, defaultWeights, search.result())));
    assert.equal(new Date(day.start).getUTCHours(), 8);
    assert.deepEqual(content.plan[0].window_labels, { start: "08:00-08:15", end: "08:45-09:00" });
  });
});
