import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { runByHand } from "../../test/by-hand.ts";
import { Annealing, type AnnealingOptions } from "./annealing.ts";

/** Whole numbers; many valleys, the deepest near 30. */
const line = {
  start: 0,
  key: (x: number) => String(x),
  neighbour: (x: number, draw: { integer(min: number, max: number): number }) => x + draw.integer(-1, 1),
};
const value = (x: number): number => Math.abs(x - 30) / 2 + 3 * Math.sin(x) ** 2;
const options: AnnealingOptions = {
  seed: 1,
  goal: "minimise",
  evaluations: 2000,
  temperature: { first: 3, last: 0.05 },
};

describe("annealing", () => {
  it("climbs out of valleys where a cold walk stays", () => {
    const warm = runByHand(new Annealing(line, options), value).result;
    const cold = runByHand(new Annealing(line, { ...options, temperature: { first: 1e-9, last: 1e-9 } }), value).result;
    assert.ok(warm !== undefined && cold !== undefined);
    assert.ok(warm.value < cold.value, `${warm.value} against ${cold.value}`);
    assert.ok(Math.abs(warm.state - 30) <= 3, String(warm.state));
  });

  it("asks exactly its evaluations, gives the best it saw and never takes a failed one", () => {
    const seen: number[] = [];
    const { result, keys } = runByHand(new Annealing(line, { ...options, evaluations: 300 }), (x) => {
      if (x % 5 === 4) throw new Error("no");
      seen.push(value(x));
      return value(x);
    });
    assert.equal(keys.length, 300);
    assert.equal(result?.value, Math.min(...seen));
    assert.ok(keys.every((key, at) => at === 0 || Math.abs(Number(key) - Number(keys[at - 1])) <= 2));
  });
});
