import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { runByHand } from "../../test/by-hand.ts";
import type { TournamentCandidate } from "../tournament/tournament.ts";
import { CrossValidation, type CrossValidationOptions } from "./cross-validation.ts";

/** What a configuration costs in each of three years. */
type Years = readonly number[];

const lower = (value: (years: Years) => number) => ({
  wanted: "lower" as const,
  value,
  better: (years: Years, best: Years | undefined) => best === undefined || value(years) < value(best),
});
const meanOf = (numbers: Years) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
const options: CrossValidationOptions<Years> = {
  horizons: ["near", "far"],
  parameters: ["a", "b"].map((name) => ({
    name,
    path: [name],
    domain: { kind: "range", min: 0, max: 10, decimals: 2 },
  })),
  baseline: { near: { a: 5, b: 5 }, far: { a: 5, b: 5 } },
  objective: lower(meanOf),
  method: "steps",
  trials: 60,
  window: 2,
  seed: 1,
  charges: [0, 5],
  folds: [0, 1, 2].map((year) => ({
    name: String(year),
    objective: lower((years) => meanOf(years.filter((_, y) => y !== year))),
    left: (years) => years[year],
  })),
};

/** The bottom of each year lies somewhere else around the same place. */
const judged =
  (bottoms: Years) =>
  ({ configuration, horizons }: TournamentCandidate) => {
    const { a, b } = configuration as { a: number; b: number };
    return Object.fromEntries(
      horizons.map((horizon) => [horizon, bottoms.map((at) => 100 + (a - at) ** 2 + (b - at) ** 2)]),
    );
  };
const validated = (bottoms: Years) => runByHand(new CrossValidation(options), judged(bottoms));

describe("cross-validation", () => {
  it("charges nothing for leaving a baseline when what is gained holds on what was left out", () => {
    const { result, candidates } = validated([7, 7, 7]);
    assert.equal(candidates.length, 60 * 7);
    assert.equal(result.tried, 60 * 7);
    assert.equal(result.leftOut?.charge, 0);
    assert.ok((result.leftOut?.changes[0].byHorizon.near ?? 0) < -0.07, JSON.stringify(result.leftOut));
    assert.ok(result.best.near.result[0] < 100.5);
  });

  it("keeps to the baseline when what is gained does not hold", () => {
    // Any two years draw away from where the third is best.
    const { result } = validated([0, 5, 10]);
    assert.equal(result.leftOut?.charge, 5);
    const [free, charged] = result.leftOut?.changes ?? [];
    assert.ok(free.byHorizon.near > charged.byHorizon.near);
  });

  it("is the same every time, and has what is known when it is ended before", () => {
    assert.deepEqual(validated([0, 5, 10]), validated([0, 5, 10]));
    assert.deepEqual(new CrossValidation(options).result().configurations, options.baseline);
    assert.throws(() => new CrossValidation({ ...options, folds: [] }), /at least two/);
  });
});
