import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { random } from "@coppice/engine/evaluator";
import fc from "fast-check";
import { cutDownDay } from "../../../test/cut-down-day.ts";
import { scoreFromScratch } from "../../network/score-from-scratch.ts";
import { defaultWeights } from "../../network/weights.ts";
import type { PlannerOptions } from "../planner-options.ts";
import { unpackPlan } from "./packed-plan.ts";
import { PopulationSearch } from "./population-search.ts";
import { leastEvaluations, plannedSegment } from "./population-shape.ts";
import { SegmentRunner } from "./run-segment.ts";
import type { Segment, SegmentValue } from "./segment.ts";
import { recall, SharedMemory } from "./shared-memory.ts";

const day = cutDownDay();
const weights = defaultWeights;
const options: PlannerOptions = { policy: "default", seed: 11, evaluations: 1200, without: [] };

/** Every segment of a population and what it answered, in the order they were asked. */
function walked(): { readonly segment: Segment; readonly value: SegmentValue }[] {
  const search = new PopulationSearch(options, { walkers: 4, rounds: 4 });
  const runner = new SegmentRunner(day, weights);
  const segments: { segment: Segment; value: SegmentValue }[] = [];
  for (let proposal = search.ask(); proposal.kind === "candidate"; proposal = search.ask()) {
    const { candidate: segment } = proposal;
    const value = runner.run(segment);
    segments.push({ segment, value });
    search.tell({ ok: true, value });
  }
  return segments;
}

describe("a segment", () => {
  const all = walked();

  it("is a function of what it is told, whatever its worker did before", () => {
    const shuffled = random(3).shuffle([...all]);
    const runner = new SegmentRunner(day, weights);
    for (const { segment, value } of shuffled) {
      assert.deepEqual(runner.run(segment), value);
      assert.equal(value.evaluations, segment.evaluations, "the start's own included");
    }
    const { segment, value } = all[9];
    assert.deepEqual(new SegmentRunner(day, weights).run(segment), value, "nor whether it did anything");
  });

  it("scores its plans as they are scored from nothing", () => {
    for (const { value } of all) {
      const { best, end } = value;
      assert.deepEqual(best.score, scoreFromScratch(day, unpackPlan(best.plan), weights).score);
      assert.equal(end.objective, scoreFromScratch(day, unpackPlan(end.plan), weights).score.objective);
      assert.ok(best.score.objective <= end.objective);
    }
  });

  it("begins with a plan of the round before and what all walkers of it passed", () => {
    const [first, second] = [0, 1].map((round) => all.filter(({ segment }) => segment.round === round));
    assert.deepEqual(
      first.map(({ segment }) => [segment.start, segment.memory, segment.kind]),
      first.map(() => [[], "", "tree"]),
    );
    const ends = first.map(({ value }) => JSON.stringify(value.end.plan));
    for (const { segment } of second) assert.ok(ends.includes(JSON.stringify(segment.start)));
    assert.equal(new Set(second.map(({ segment }) => segment.memory)).size, 1);
    assert.ok(recall(second[0].segment.memory).lineCount > 0);
  });
});

describe("what walkers remember together", () => {
  it("comes to a segment as it was: the same lines and plans in the same order", () => {
    const line = fc.record(
      {
        volume: fc.nat(3),
        fromBin: fc.nat(4),
        toBin: fc.integer({ min: 5, max: 9 }),
        flows: fc.integer({ min: 1, max: 3 }),
        ratePerHour: fc.constantFrom(1, 2.5, 7),
      },
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(fc.array(fc.array(line, { maxLength: 4 }), { maxLength: 12 }), (plans) => {
        const shared = new SharedMemory({ lines: 6, plans: 5 });
        for (const plan of plans) shared.addPlan(plan);
        const recalled = recall(shared.text());
        assert.deepEqual(recalled.plans, plans.slice(-5));
        assert.ok(recalled.lineCount <= 6);
        const known = new Set(plans.flat().map((one) => JSON.stringify(one)));
        for (const one of recalled.lines) assert.ok(known.has(JSON.stringify(one)));
        if (known.size <= 6) assert.equal(recalled.lineCount, known.size);
      }),
    );
  });
});

describe("the segments of a population", () => {
  it("use all evaluations, none twice, and cool without a break", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 30 }),
        fc.oneof(fc.constant(0), fc.nat(50), fc.nat(90_000)),
        fc.boolean(),
        (walkers, rounds, more, withTree) => {
          const shape = { walkers, rounds };
          const evaluations = leastEvaluations(shape) + more;
          const planned = (round: number, walker: number) =>
            plannedSegment(shape, evaluations, withTree, round, walker);
          let sum = 0;
          for (let round = 0; round < rounds; round++) {
            for (let walker = 0; walker < walkers; walker++) {
              sum += planned(round, walker).evaluations;
              assert.ok(planned(round, walker).evaluations >= 1, "a start is always scored");
              assert.deepEqual(planned(round, walker).temperature, planned(round, 0).temperature);
            }
            const { kind, temperature } = planned(round, 0);
            assert.ok(temperature.first >= temperature.last && temperature.last > 0);
            assert.equal(kind === "tree", withTree && round === 0 && rounds > 1);
            if (round > 0 && planned(round - 1, 0).kind === "annealing") {
              assert.equal(temperature.first, planned(round - 1, 0).temperature.last);
            }
          }
          assert.equal(sum, evaluations);
        },
      ),
      { numRuns: 40 },
    );
  });
});
