import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { runByHand } from "../../test/by-hand.ts";
import { defineSpace, real } from "../space/define-space.ts";
import type { Configuration } from "../tournament/parameter.ts";
import { type HyperbandOptions, hyperband, rungsOf } from "./hyperband.ts";

const space = defineSpace({ x: real(0, 1) });
const options: HyperbandOptions = {
  space,
  goal: { name: "error", better: "lower" },
  budget: { name: "epochs", min: 1, max: 9 },
  brackets: "hyperband",
  trials: 17,
  window: 4,
  seed: 1,
};
/** Noisy with few epochs: the error falls with more of them. */
const error = ({ x, epochs }: Configuration) => Math.abs(Number(x) - 0.4) + 1 / Number(epochs);

describe("Hyperband", () => {
  it("has the rungs of the paper", () => {
    const budget = { name: "r", min: 1, max: 81 };
    const text = (index: number) =>
      rungsOf(budget, index)
        .map(({ count, budget }) => `${count}×${budget}`)
        .join(" ");
    assert.deepEqual([0, 1, 2, 3, 4, 5].map(text), [
      "81×1 27×3 9×9 3×27 1×81",
      "34×3 11×9 3×27 1×81",
      "15×9 5×27 1×81",
      "8×27 2×81",
      "5×81",
      "81×1 27×3 9×9 3×27 1×81",
    ]);
  });

  it("lets the best of each rung go on from their own checkpoint, whatever the window", () => {
    const whole = runByHand(hyperband(options), error);
    assert.deepEqual(
      rungsOf(options.budget, 0).map(({ count }) => count),
      [9, 3, 1],
    );
    const { trials, best, ended } = whole.result;
    assert.equal(trials[best ?? 0].budget, 9);
    assert.match(ended, /^17 points were tried, in 3 brackets$/);
    const rung = (budget: number) =>
      trials
        .slice(0, 30)
        .filter((row) => row.budget === budget)
        .slice(0, 9);
    const lows = rung(1)
      .map(({ values }) => values?.[0] ?? 0)
      .toSorted((a, b) => a - b);
    const promoted = whole.candidates.filter(
      ({ epochs, checkpoint }) => epochs === 3 && (checkpoint as { load: unknown }).load !== null,
    );
    assert.deepEqual(promoted.map((candidate) => error({ ...candidate, epochs: 1 })).slice(0, 3), lows.slice(0, 3));
    for (const candidate of whole.candidates) {
      const { load, save } = candidate.checkpoint as { load: string | null; save: string };
      const saved = whole.candidates.some(
        (other) => (other.checkpoint as { save: string }).save === load && other.x === candidate.x,
      );
      assert.ok(load === null || saved, save);
    }
    for (const window of [1, 2, 40]) {
      const points = (run: typeof whole) => new Set(run.candidates.map((candidate) => JSON.stringify(candidate)));
      assert.deepEqual(points(runByHand(hyperband({ ...options, window }), error)), points(whole));
    }
  });

  it("counts the evaluations of all its rungs", () => {
    const search = hyperband({ ...options, trials: 10 });
    const levels: { readonly done: number; readonly total: number }[] = [];
    const { candidates } = runByHand(search, (candidate) => {
      levels.push(...(search.progress?.().levels ?? []));
      return error(candidate);
    });
    assert.deepEqual(
      levels.map(({ done, total }) => [done, total]),
      candidates.map((_, i) => [i, 13 + 6]),
    );
  });

  it("never lets a failure go on, and ends a bracket in which all failed", () => {
    const { result, candidates } = runByHand(hyperband({ ...options, brackets: "halving", trials: 9 }), (candidate) => {
      if (Number(candidate.x) < 0.9) throw new Error("no");
      return error(candidate);
    });
    const later = candidates.filter(({ epochs }) => Number(epochs) > 1);
    assert.ok(later.length > 0 && later.every(({ x }) => Number(x) >= 0.9));
    assert.ok(result.failed > 0);
    const none = runByHand(hyperband({ ...options, trials: 1 }), () => Number.NaN).result;
    assert.deepEqual([none.best, none.trials.length, none.failed], [null, 9, 9]);
  });
});
