import assert from "node:assert/strict";
import { test } from "node:test";
import type { EvaluationResult } from "../contract.ts";
import type { EvaluationState } from "../search/tree-state.ts";
import type { TreeConfig } from "../settings.ts";
import { promotedBecause } from "./promoted-because.ts";

test("where the primary metric is worse within its tolerance, the score of all metrics is named first", () => {
  const metrics = ["throughput", "memory"].map((column) => ({ column, weight: 1, better: "higher" }));
  const config = { score: { kind: "columns", primary: "throughput", metrics } } as unknown as TreeConfig;
  const because = (primaryDelta: number, score: number) =>
    promotedBecause(
      {},
      {
        metrics: { throughput: 200 + primaryDelta, memory: 50 },
        parentRelative: { primaryDelta, score },
        steps: [],
        rounds: [],
      } as unknown as EvaluationResult,
      config,
    );
  assert.equal(because(20, 0.3), "throughput 200 → 220 (+10 %)");
  assert.equal(because(-8, 0.23), "score +0.23 over all metrics, throughput 200 → 192 (−4.0 %)");
  // What was turned down has this line as well.
  assert.equal(because(-8, -0.04), "throughput 200 → 192 (−4.0 %)");
});

test("of repeats, those that were better and those that failed are said", () => {
  const score = { kind: "columns", primary: "ms", metrics: [{ column: "ms", weight: 1, better: "lower" }] };
  const parentRelative = { primaryDelta: 810, score: 0.64 };
  const result = { metrics: { ms: 459 }, parentRelative, steps: [{ step: "test" }], rounds: [] };
  const because = (failed: number) =>
    promotedBecause(
      { race: { standing: { betterRepeats: 3, repeats: 4 }, failed } } as unknown as EvaluationState,
      result as unknown as EvaluationResult,
      { score } as unknown as TreeConfig,
    );
  assert.equal(because(0), "ms 1,269 → 459 (−64 %, 3 of 4 repeats), tests pass");
  assert.equal(because(1), "ms 1,269 → 459 (−64 %, 3 of 4 repeats, 1 failed), tests pass");
});
