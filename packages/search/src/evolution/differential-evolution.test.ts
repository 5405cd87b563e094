import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { differentialEvolution } from "./differential-evolution.ts";

/** Runs the search by hand on a function of its points. */
function minimize(seed: number, value: (point: readonly number[]) => number) {
  const search = differentialEvolution({
    seed,
    bounds: [
      [-5, 5],
      [-5, 5],
    ],
    population: 16,
    generations: 150,
  });
  const open: (readonly number[])[] = [];
  const seen: (readonly number[])[] = [];
  for (let proposal = search.ask(); proposal.kind !== "done"; proposal = search.ask()) {
    if (proposal.kind === "candidate") {
      open.push(proposal.candidate);
      seen.push(proposal.candidate);
    } else {
      const point = open.shift() ?? assert.fail("it waits for nothing");
      search.tell({ ok: true, value: value(point) }, 0);
    }
  }
  return { ...search.result(), seen };
}

/** A long, bent valley with its lowest point at (1, 1). */
const rosenbrock = ([x, y]: readonly number[]) => (1 - x) ** 2 + 100 * (y - x * x) ** 2;

describe("differential evolution", () => {
  for (const seed of [0, 1, 2]) {
    it(`finds the lowest point of a bent valley (seed ${seed})`, () => {
      const { point, value } = minimize(seed, rosenbrock);
      assert.ok(value < 1e-4, `${value} at ${point}`);
    });
  }

  it("stays inside its bounds, even when the way down leads out", () => {
    const { point, seen } = minimize(3, ([x, y]) => x - y);
    assert.deepEqual(point, [-5, 5]);
    assert.ok(seen.flat().every((coordinate) => Math.abs(coordinate) <= 5));
  });

  it("proposes the same points for the same seed, and others for another", () => {
    assert.deepEqual(minimize(4, rosenbrock).seen, minimize(4, rosenbrock).seen);
    assert.notDeepEqual(minimize(4, rosenbrock).seen[0], minimize(5, rosenbrock).seen[0]);
  });
});
