import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { EvaluationResult } from "../contract.ts";
import { pretend } from "../dry-run/pretend.ts";
import { type GateReason, gate, isBetter, ranked, rankScore } from "./barrier.ts";

/** A result that passes; evaluation 7 of a dry run with a limit of five. */
const good = pretend(
  { shape: { sweepConfigLimit: 5 } },
  {
    kind: "evaluation",
    evalId: "0007",
    depth: 0,
    parent: { nodeId: "0000", depth: 0, commit: "c", baseline: { path: "artifacts/b.csv", sha256: "" } },
    idea: { name: "i.md", path: "node_ideas/0000/i.md", sha256: "", textHash: "" },
    rootBaseline: { path: "artifacts/b.csv", sha256: "" },
  },
) as EvaluationResult;

const against = (changes: Partial<EvaluationResult["parentRelative"]>): EvaluationResult => ({
  ...good,
  parentRelative: { ...good.parentRelative, ...changes },
});

test("T-22: the gate names the first reason that applies", () => {
  const cases: readonly (readonly [EvaluationResult | undefined, GateReason | null])[] = [
    [good, null],
    [undefined, "eval_not_completed"],
    [{ ...good, commit: "" }, "missing_candidate_commit"],
    [{ ...good, results: { path: "", sha256: "" } }, "missing_candidate_results_csv"],
    [{ ...good, results: { path: "eval/x.csv", sha256: "" } }, "candidate_results_csv_not_in_artifacts"],
    [{ ...good, completeness: { ...good.completeness, complete: false } }, "incomplete_or_failed_rows"],
    [against({ candidateRows: null }), "missing_candidate_rows_used"],
    [against({ candidateRows: 4 }), "candidate_rows_used_mismatch"],
    [against({ primaryDelta: null }), "missing_primary_delta"],
    [against({ primaryDelta: -1e-12 }), "primary_regressed"],
    [against({ primaryDelta: 0 }), null],
    [against({ shouldExplore: false, grade: "weak" }), "should_explore_false"],
    [against({ shouldExplore: false, grade: "mixed" }), null],
    [against({ shouldExplore: false, grade: "mixed", score: 0 }), "gain_too_small"],
    [against({ shouldExplore: false, grade: "mixed", score: -0.01, primaryDelta: 0.02 }), "gain_too_small"],
    [against({ score: 0, primaryDelta: 0.02 }), "gain_too_small"],
    [against({ score: 0.001, primaryDelta: 0 }), null],
    [against({ score: null, primaryDelta: 0 }), "gain_too_small"],
    [against({ score: null, primaryDelta: 0.02 }), null],
  ];
  for (const [result, reason] of cases) assert.equal(gate(result), reason);
});

test("without a limit an incomplete sweep is no reason to fail", () => {
  const completeness = { ...good.completeness, expected: null, complete: false };
  assert.equal(gate({ ...against({ candidateRows: 3 }), completeness }), null);
});

test("T-22: ranking is by score, then delta, then id, whatever order it is given; what has no number comes last", () => {
  const score = fc.option(fc.constantFrom(-1, 0, 0.5, 1, Number.NaN, Number.NEGATIVE_INFINITY));
  const evaluation = fc.record({ score, primaryDelta: score });
  fc.assert(
    fc.property(fc.array(evaluation, { maxLength: 12 }), fc.nat(), (given, turn) => {
      const all = given.map((numbers, i) => ({
        evalId: String(i + 9995).padStart(4, "0"),
        result: { ...good, rootRelative: { ...good.rootRelative, ...numbers } },
      }));
      const turned = [...all.slice(turn % (all.length + 1)), ...all.slice(0, turn % (all.length + 1))].reverse();
      const order = ranked(all);
      assert.deepEqual(ranked(turned), order);
      for (const [i, { evalId, result }] of order.entries()) {
        const next = order[i + 1];
        if (next === undefined) continue;
        const byScore = sinking(rankScore(result), rankScore(next.result));
        const byDelta = sinking(result.rootRelative.primaryDelta, next.result.rootRelative.primaryDelta);
        assert.ok(byScore >= 0 && (byScore > 0 || byDelta >= 0));
        if (byScore === 0 && byDelta === 0) assert.ok(Number(evalId) < Number(next.evalId));
      }
    }),
  );
});

/** Above 0 when the first is larger; anything that is no finite number is below all. */
function sinking(a: number | null, b: number | null): number {
  const [x, y] = [a, b].map((value) => (value !== null && Number.isFinite(value) ? value : -1e9));
  return x - y;
}

test("the best of the nodes is by score, then delta, then the earlier node; the root is best only when it is alone", () => {
  const of = (score: number, primaryDelta: number) => ({
    ...good,
    rootRelative: { ...good.rootRelative, score, primaryDelta },
  });
  assert.equal(isBetter(of(2, 0), of(1, 9)), true);
  assert.equal(isBetter(of(1, 0), of(1, 1)), false);
  // Of equals the earlier node stays the best.
  assert.equal(isBetter(of(1, 1), of(1, 1)), false);
  assert.equal(isBetter(of(-1, -1), undefined), true);
  assert.equal(isBetter(undefined, of(-1, -1)), false);
});
