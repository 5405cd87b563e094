import assert from "node:assert/strict";
import { test } from "node:test";
import type { ScoreConfig } from "../settings.ts";
import { compare } from "./compare.ts";
import { readComparison } from "./said-comparison.ts";

const config: Extract<ScoreConfig, { kind: "columns" }> = {
  kind: "columns",
  metrics: [
    { column: "sharpe", weight: 1.5, better: "higher" },
    { column: "return", weight: 1, better: "higher" },
    { column: "drawdown", weight: 1, better: "higher" },
    { column: "seconds", weight: 1, better: "lower" },
  ],
  primary: "sharpe",
  primaryTolerance: 0.05,
  risk: { column: "drawdown", worseBy: 0.1 },
};
const measured = (sharpe: number, ret: number, drawdown: number, seconds: number) => ({
  metrics: { sharpe, return: ret, drawdown, seconds },
  rows: 3,
});
const base = measured(2, 0.5, -0.2, 10);

function near(actual: number | null, expected: number): void {
  assert.ok(actual !== null && Math.abs(actual - expected) < 1e-12, `${actual} is not ${expected}`);
}

test("the score is the weighted mean of relative changes, as computed by hand", () => {
  // sharpe +10 % ×1.5, return −20 %, drawdown (−0.21 + 0.2) / 0.2 = −5 %, seconds 10 → 8: +20 %; over 4.5
  const { score, ...rest } = compare(measured(2.2, 0.4, -0.21, 8), base, config);
  near(score, (1.5 * 0.1 - 0.2 - 0.05 + 0.2) / 4.5);
  near(rest.primaryDelta, 0.2);
  assert.deepEqual([rest.grade, rest.shouldExplore, rest.baselineRows], ["mixed", false, 3]);
});

test("relative changes are clamped to two, and a base of zero counts as one", () => {
  near(compare(measured(20, 0.5, -0.2, 10), base, config).score, (1.5 * 2) / 4.5);
  const zero = measured(0, 0.5, -0.2, 10);
  near(compare(measured(0.3, 0.5, -0.2, 10), zero, config).score, (1.5 * 0.3) / 4.5);
});

test("exploring needs a primary that is not worse by more than five percent, or at all from zero", () => {
  const good = (sharpe: number, from = base) => compare(measured(sharpe, 1, -0.1, 5), from, config);
  assert.equal(good(1.901).shouldExplore, true);
  assert.equal(good(1.89).shouldExplore, false);
  assert.match(good(1.89).reasons[0], /^sharpe is worse by 5\.5 %$/);
  const zero = measured(0, 0.5, -0.2, 10);
  assert.equal(good(0, zero).shouldExplore, true);
  assert.equal(good(-0.001, zero).shouldExplore, false);
});

test("a drawdown worse by more than ten percent blocks whatever the score", () => {
  const { shouldExplore, score, reasons } = compare(measured(4, 1, -0.2201, 5), base, config);
  assert.ok(score !== null && score > 0.1);
  assert.deepEqual([shouldExplore, reasons.length], [false, 1]);
  assert.equal(compare(measured(4, 1, -0.2199, 5), base, config).shouldExplore, true);
});

test("many small improvements are worth exploring below the score", () => {
  // three better, one worse: 3 ≥ max(2, 1 + 2)
  const { shouldExplore, score } = compare(measured(2.001, 0.5005, -0.1999, 10.01), base, config);
  assert.ok(score !== null && score < 0.03);
  assert.equal(shouldExplore, true);
  assert.equal(compare(measured(2.001, 0.5005, -0.201, 10.01), base, config).shouldExplore, false);
});

test("grades change at 0.10, 0.03 and −0.02", () => {
  const one = { ...config, metrics: config.metrics.slice(1, 2), primary: "return", risk: null };
  const grade = (ret: number) => compare(measured(2, ret, -0.2, 10), { ...base, metrics: { return: 1 } }, one).grade;
  const grades = [1.101, 1.099, 1.031, 1.029, 0.981, 0.979].map(grade);
  assert.deepEqual(grades, ["strong", "promising", "promising", "mixed", "mixed", "weak"]);
});

test("metrics that one side lacks do not count; none in common is a score of zero and no delta", () => {
  const { score, primaryDelta, shouldExplore } = compare({ metrics: { other: 1 }, rows: 1 }, base, config);
  assert.deepEqual([score, primaryDelta, shouldExplore], [0, null, false]);
});

test("a score command's JSON may be as little as a score", () => {
  assert.deepEqual(readComparison('log line\n{"score": 0.2}\n'), {
    shouldExplore: true,
    grade: "strong",
    score: 0.2,
    primaryDelta: 0.2,
    baselineRows: null,
    candidateRows: null,
    reasons: [],
  });
  const whole = {
    shouldExplore: false,
    grade: "weak",
    score: 0.2,
    primaryDelta: -1,
    baselineRows: 2,
    candidateRows: 2,
    reasons: ["x"],
  };
  assert.deepEqual(readComparison(JSON.stringify(whole, null, 2)), whole);
  assert.throws(() => readComparison("done"), /must print one JSON object/);
  assert.throws(() => readComparison('{"score": "high"}'), /"score" must be a finite number, not "high"/);
  assert.throws(() => readComparison('{"grade": "mixed"}'), /needs a number in "score"/);
  assert.throws(() => readComparison('{"score": 1, "grade": "superb"}'), /"grade" must be one of strong, /);
});
