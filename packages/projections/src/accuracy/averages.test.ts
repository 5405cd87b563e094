import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { GroupRanking } from "./accuracy.ts";
import { aggregateHorizon, type SeasonTally } from "./averages.ts";

function season(name: string, totalError: number, playerCount: number, groups?: readonly GroupRanking[]): SeasonTally {
  return { name, totalError, playerCount, weeksEvaluated: 1, weeksRequested: 1, groups };
}

function week(position: "QB" | "RB", pairwise: number, spearman: number): GroupRanking {
  return { position, pairwise, top5: Number.NaN, top10: Number.NaN, top20: Number.NaN, spearman };
}

describe("averaging accuracy", () => {
  it("weighs seasons by their players, not by their number", () => {
    assert.equal(aggregateHorizon([season("a", 500, 100), season("b", 400, 100)]).aggregate.mae, 4.5);
    assert.equal(aggregateHorizon([season("a", 250, 50), season("b", 450, 150)]).aggregate.mae, 3.5);
    const { aggregate } = aggregateHorizon([]);
    assert.deepEqual([aggregate.mae, aggregate.player_count, aggregate.total_error], [0, 0, 0]);
  });

  it("leaves undefined weeks out instead of counting them as 0", () => {
    const { seasons } = aggregateHorizon([
      season("a", 1, 1, [week("QB", 0.8, 0.5), week("QB", Number.NaN, Number.NaN)]),
    ]);
    assert.equal(seasons.a?.by_position?.QB?.pairwise_accuracy, 0.8);
    assert.equal(seasons.a?.by_position?.QB?.top_5_accuracy, null);
    assert.equal(seasons.a?.by_position?.RB, undefined);
  });

  it("averages correlations as Fisher's z, over all weeks at once, perfect ones clamped", () => {
    const groups = [week("QB", 0.5, 1), week("QB", 0.5, 0.2), week("RB", 0.5, 0)];
    const { seasons } = aggregateHorizon([season("a", 1, 1, groups)]);
    const z = [Math.atanh(1 - 1e-6), Math.atanh(0.2), 0];
    assert.equal(seasons.a?.overall?.spearman_correlation, Math.tanh((z[0] + z[1] + z[2]) / 3));
    assert.equal(seasons.a?.by_position?.QB?.spearman_correlation, Math.tanh((z[0] + z[1]) / 2));
    assert.equal(seasons.a?.by_position?.RB?.spearman_correlation, 0, "a genuine 0 is a value");
  });

  it("averages positions into a season and seasons into a horizon, each once", () => {
    const { aggregate } = aggregateHorizon([
      season("a", 1, 1, [week("QB", 0.6, 0.1), week("QB", 0.8, 0.1), week("RB", 0.5, 0.1)]),
      season("b", 1, 1, [week("RB", 0.3, 0.1)]),
    ]);
    const a = (0.7 + 0.5) / 2;
    assert.deepEqual(aggregate.per_season_pairwise, { a, b: 0.3 });
    assert.equal(aggregate.overall?.pairwise_accuracy, (a + 0.3) / 2);
    assert.equal(aggregate.by_position?.RB?.pairwise_accuracy, (0.5 + 0.3) / 2);
  });
});
