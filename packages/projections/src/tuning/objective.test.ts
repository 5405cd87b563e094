import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type HorizonResult, objectives } from "./objective.ts";

function error(mae: number, player_count = 10): HorizonResult {
  return { mae, player_count, total_error: mae * player_count };
}

function order(
  pairwise_accuracy: number | null,
  seasons: readonly (number | null)[],
  player_count = 10,
): HorizonResult {
  const per_season_pairwise = Object.fromEntries(seasons.map((value, i) => [String(2021 + i), value]));
  return { ...error(4, player_count), pairwise_accuracy, per_season_pairwise };
}

describe("A-17 which of two results is better", () => {
  it("by error: the lower one, strictly", () => {
    const { better } = objectives.mae;
    assert.equal(better(error(3), error(4)), true);
    assert.equal(better(error(4), error(4)), false);
    assert.equal(better(error(5), error(4)), false);
    assert.equal(better(error(5), undefined), true);
  });

  it("by error: a result without players, or without a number, never wins", () => {
    const { better, value } = objectives.mae;
    assert.equal(better(error(0, 0), error(4)), false);
    assert.equal(better(error(0, 0), undefined), false);
    assert.equal(better(error(Number.NaN), undefined), false);
    assert.equal(better(error(1), error(9, 0)), false);
    assert.equal(value(error(0, 0)), null);
  });

  it("by order: the higher share, if four fifths of the common seasons agree", () => {
    const { better } = objectives.pairwise;
    const best = order(0.6, [0.6, 0.6, 0.6, 0.6]);
    assert.equal(better(order(0.61, [0.61, 0.61, 0.61, 0.61]), best), true);
    assert.equal(better(order(0.65, [0.9, 0.9, 0.9, 0.5]), best), false, "three of four seasons are not enough");
    assert.equal(better(order(0.6, [0.6, 0.6, 0.6, 0.6]), best), false);
    assert.equal(better(order(0.7, [0.7, null, null, null]), best), true, "one common season is no gate");
  });

  it("by order: undefined never wins over a number and loses to one", () => {
    const { better } = objectives.pairwise;
    const none = order(null, []);
    const some = order(0.5, [0.5]);
    assert.equal(better(none, some), false);
    assert.equal(better(some, none), true);
    assert.equal(better(some, undefined), true);
    assert.equal(better(order(0.9, [0.9], 0), undefined), false);
    assert.equal(better(error(1), some), false, "an error alone says nothing of the order");
    assert.equal(better(some, error(1)), true);
  });
});
