import assert from "node:assert/strict";
import { test } from "node:test";
import { councilPace, paceOf } from "./timekeeper.ts";

test("C-05: rounds and threshold follow complexity, risk and reversibility within their limits", () => {
  const rows: readonly (readonly [string, number, number])[] = [
    ["Fix the typo in the README", 2, 0.8],
    ["Add a dark theme", 3, 0.75],
    ["Migrate the database to another schema", 5, 0.7],
    ["Our strategy for next year", 7, 0.65],
    ["Migrate the payment database in production", 5, 0.75],
    ["A prototype of a strategy game", 7, 0.6],
    ["Delete the API for good: it cannot be undone", 6, 0.7],
    ["Fix the typo, behind a flag", 2, 0.8],
    ["Rewrite everything; irreversible", 7, 0.65],
    ["Fix a typo on the payment page", 2, 0.85],
  ];
  for (const [proposal, rounds, threshold] of rows) {
    const { maxRounds, threshold: found } = paceOf(proposal);
    assert.deepEqual([maxRounds, found], [rounds, threshold], proposal);
  }
});

test("C-05: what a person typed beats the timekeeper, each setting by itself", () => {
  assert.deepEqual(councilPace("Fix the typo in the README", { maxRounds: 6 }), {
    maxRounds: { value: 6, from: "flag" },
    threshold: { value: 0.8, from: "timekeeper" },
  });
});
