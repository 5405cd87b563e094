import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type HorizonReport, lowAccuracy } from "./tuning-report.ts";
import { verdict } from "./tuning-text.ts";

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

/** Before and after, tuned on and left out. */
function horizon(before: number, after: number, left: readonly [number, number]): HorizonReport {
  const accuracy = (mae: number) => ({ aggregate: { ...error, mae }, seasons: {} });
  const holdout = { baseline: accuracy(left[0]), tuned: accuracy(left[1]) };
  // Cast: the verdict looks at nothing else.
  return { baseline: accuracy(before), tuned: accuracy(after), holdout } as unknown as HorizonReport;
}

describe("what a report says of the gain", () => {
  const said = (horizons: Readonly<Record<string, HorizonReport>>, holdout: string | null = "2025") =>
    verdict({ objective: "mae", horizons, holdout })[1];

  it("names the horizons whose gain is not there on the season left out", () => {
    const held = horizon(5, 4, [5, 4.5]);
    assert.equal(said({ ros: held }), "The gain holds on 2025, which was left out of the tuning.");
    assert.equal(
      said({ ros: held, week_1_5: horizon(5, 4, [5, 5]), week_6_9: horizon(5, 4, [5, 5.1]) }),
      "No gain on 2025, which was left out, for 1-5, 6-9: what was tuned there may be noise.",
    );
    assert.match(said({ ros: held }, null), /^Not checked on a season left out/);
  });

  it("does not call it a gain where nothing was found", () => {
    const same = horizon(5, 5, [4, 4]);
    assert.match(said({ ros: same }), /^Nothing better was found/);
    assert.match(said({ ros: same }, null), /^Nothing better was found/);
    assert.match(said({ ros: same, week_1_5: horizon(5, 4, [5, 4]) }), /^The gain holds/);
  });
});

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
