import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { lowAccuracy } from "./tuning-report.ts";

const error = { mae: 4, player_count: 10, total_error: 40, weeks_evaluated: 1, weeks_requested: 1 };

function ranked(pairwise: number | null, top10: number | null) {
  const overall = {
    pairwise_accuracy: pairwise,
    top_10_accuracy: top10,
    top_5_accuracy: 0.1,
    top_20_accuracy: 0.1,
    spearman_correlation: 0.1,
  };
  return { ...error, overall };
}

describe("a warning about low accuracy", () => {
  it("names each metric that is below its bound, and nothing else", () => {
    assert.equal(lowAccuracy(ranked(0.65, 0.7)), undefined);
    assert.equal(lowAccuracy(ranked(0.6499, 0.7)), "pairwise accuracy 0.6499 < 0.65");
    assert.equal(lowAccuracy(ranked(0.65, 0.699)), "top-10 accuracy 0.6990 < 0.7");
    assert.equal(lowAccuracy(ranked(0.6, 0.6)), "pairwise accuracy 0.6000 < 0.65, top-10 accuracy 0.6000 < 0.7");
    assert.equal(lowAccuracy(ranked(null, null)), undefined);
    assert.equal(lowAccuracy(error), undefined);
  });
});
