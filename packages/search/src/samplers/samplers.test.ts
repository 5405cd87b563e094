import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { random } from "@coppice/engine";
import { choice, defineSpace, integer, real } from "../space/define-space.ts";
import { placeOf, pointAt } from "../space/search-space.ts";
import { importances } from "../studies/importance.ts";
import { CovarianceAdaptation } from "./covariance-adaptation.ts";
import { type SamplerName, samplerNamed } from "./method.ts";
import { ParzenEstimator } from "./parzen.ts";
import { haltonSequence } from "./spread.ts";
import { eigen, spectral } from "./symmetric-matrix.ts";
import { tpeSampler } from "./tpe.ts";
import type { Trial } from "./trial.ts";

const space = defineSpace({ x: real(1e-3, 10, { log: true }), n: integer(1, 8), kind: choice(["a", "b", "c"]) });

function trialAt(place: readonly number[], value: number | null | undefined): Trial {
  const point = pointAt(space, place);
  return { point, place: placeOf(space, point), values: typeof value === "number" ? [value] : value };
}

describe("TPE", () => {
  /** How far the first coordinate of many proposals is from an even spread: Kolmogorov's statistic, √n·D. */
  function unevenness(trials: readonly Trial[]): number {
    const count = 2000;
    const sampler = tpeSampler({ space, seed: 1 }, { startup: 0 });
    const places = Array.from({ length: count }, (_, i) => sampler.next(trials, random(i).at("tpe"))?.[0] ?? 0);
    const sorted = places.toSorted((a, b) => a - b);
    return (
      Math.sqrt(count) * Math.max(...sorted.map((place, i) => Math.max(place - i / count, (i + 1) / count - place)))
    );
  }
  const spread = Array.from({ length: 40 }, (_, i) => [i / 40, 0.5, 0.5]);

  it("is its prior while nothing is known: no trials, or all alike", () => {
    assert.ok(unevenness([]) < 1.95, `${unevenness([])}`);
    const alike = spread.map((place) => trialAt(place, 7));
    assert.ok(unevenness(alike) < 1.95);
    const known = spread.map((place) => trialAt(place, Math.abs(place[0] - 0.3)));
    assert.ok(unevenness(known) > 10, `${unevenness(known)}`);
  });

  it("keeps away from trials that failed, and from those still out while too little is known to model", () => {
    for (const value of [null, undefined]) {
      const sampler = tpeSampler({ space, seed: 1 }, { startup: 0 });
      const there = Array.from({ length: 12 }, (_, i) => trialAt([0.2 + i / 1000, 0.5, 0.5], value));
      const known = [trialAt([0.8, 0.5, 0.5], 1), trialAt([0.5, 0.5, 0.5], 2), ...there];
      const near = Array.from({ length: 200 }, (_, i) => sampler.next(known, random(i))?.[0] ?? 0);
      const count = near.filter((x) => Math.abs(x - 0.2) < 0.1).length;
      assert.ok(count < 10, `${count} of 200 near it`);
    }
  });

  it("is drawn to the best trials the more, the more are out, and spreads evenly until something is known", () => {
    const told = spread.map((place) => trialAt(place, Math.abs(place[0] - 0.3)));
    const out = Array.from({ length: 7 }, (_, i) => trialAt([0.28 + i / 200, 0.5, 0.5], undefined));
    const next = (trials: readonly Trial[], i: number) => tpeSampler({ space, seed: 1 }).next(trials, random(i));
    const near = [0, 2, 7].map((count) => {
      const places = Array.from({ length: 400 }, (_, i) => next([...told, ...out.slice(0, count)], i)?.[0] ?? 0);
      return places.filter((x) => Math.abs(x - 0.3) < 0.02).length;
    });
    assert.ok(near[0] < near[1] && near[1] < near[2], `${near} of 400 near the best`);
    assert.deepEqual(next([...out, ...out], 1), haltonSequence({ space, seed: 1 })(0));
  });

  it("has densities that sum to 1 over the space, also over cells and choices", () => {
    const trials = [trialAt([0.1, 0.9, 0.2], 1), trialAt([0.95, 0.1, 0.9], 1)];
    const estimator = new ParzenEstimator(space, trials, () => 0.15);
    let sum = 0;
    for (let n = 0; n < 8; n++) {
      for (let kind = 0; kind < 3; kind++) {
        for (let x = 0; x < 200; x++) {
          const place = [(x + 0.5) / 200, (n + 0.5) / 8, (kind + 0.5) / 3];
          sum += Math.exp(estimator.logDensity(place, [true, true, true])) / 200;
        }
      }
    }
    assert.ok(Math.abs(sum - 1) < 1e-3, String(sum));
  });
});

describe("CMA-ES", () => {
  const n = 4;

  it("is invariant under rotation on a quadratic: turned noise and a turned bowl make the same values", () => {
    const turn = orthogonal(n, 5);
    const axes = [1, 10, 100, 1000];
    const bowl = (x: ArrayLike<number>) => axes.reduce((sum, axis, i) => sum + axis * (x[i] - i / 7) ** 2, 0);
    const values = (turned: boolean) => {
      const at = (x: ArrayLike<number>) => (turned ? times(transposed(turn), x) : x);
      const start = [0.4, 0.4, 0.4, 0.4];
      const cma = new CovarianceAdaptation(turned ? times(turn, start) : start, 0.3, 8);
      const draws = random(3);
      const bests: number[] = [];
      for (let generation = 0; generation < 60; generation++) {
        const points = Array.from({ length: 8 }, () => {
          const normals = Array.from({ length: n }, () => draws.normal());
          return cma.point(turned ? times(turn, normals) : normals);
        });
        const ranked = points.toSorted((a, b) => bowl(at(a)) - bowl(at(b)));
        cma.learn(ranked);
        bests.push(bowl(at(ranked[0])));
      }
      return bests;
    };
    const [plain, turned] = [values(false), values(true)];
    for (const [i, value] of plain.entries()) assert.ok(Math.abs(turned[i] / value - 1) < 1e-5, `generation ${i}`);
    assert.ok(plain[59] < 1e-3 * plain[0]);
  });

  it("takes symmetric matrices apart and puts them together again", () => {
    const turn = orthogonal(n, 8);
    const matrix = times2(times2(turn, diagonal([4, 1, 0.25, 9])), transposed(turn));
    const parts = eigen(matrix, n);
    assert.deepEqual([...parts.values].map((value) => Math.round(value * 1e6) / 1e6).toSorted(), [0.25, 1, 4, 9]);
    const again = spectral(parts, n, (value) => value);
    for (const [i, value] of again.entries()) assert.ok(Math.abs(value - matrix[i]) < 1e-12);
  });

  function orthogonal(size: number, seed: number): Float64Array {
    const draws = random(seed);
    const symmetric = new Float64Array(size * size);
    for (let i = 0; i < size; i++) {
      for (let j = 0; j <= i; j++) symmetric[i * size + j] = symmetric[j * size + i] = draws.normal();
    }
    return eigen(symmetric, size).vectors;
  }
  function times(matrix: Float64Array, vector: ArrayLike<number>): Float64Array {
    return Float64Array.from({ length: n }, (_, i) =>
      Array.from(vector).reduce((sum, x, j) => sum + matrix[i * n + j] * x, 0),
    );
  }
  function times2(a: Float64Array, b: Float64Array): Float64Array {
    return Float64Array.from({ length: n * n }, (_, k) => {
      let sum = 0;
      for (let j = 0; j < n; j++) sum += a[Math.floor(k / n) * n + j] * b[j * n + (k % n)];
      return sum;
    });
  }
  function transposed(matrix: Float64Array): Float64Array {
    return Float64Array.from({ length: n * n }, (_, k) => matrix[(k % n) * n + Math.floor(k / n)]);
  }
  function diagonal(values: readonly number[]): Float64Array {
    return Float64Array.from({ length: n * n }, (_, k) => (Math.floor(k / n) === k % n ? values[k % n] : 0));
  }
});

describe("the Halton sequence", () => {
  it("puts one of 2·3 points into each of 2·3 boxes, however it is permuted", () => {
    const pair = defineSpace({ a: real(0, 1), b: real(0, 1) });
    for (const seed of [1, 2, 3]) {
      const place = haltonSequence({ space: pair, seed });
      const boxes = new Set(
        Array.from({ length: 6 }, (_, i) => place(i)).map(([a, b]) => `${Math.floor(a * 2)} ${Math.floor(b * 3)}`),
      );
      assert.equal(boxes.size, 6);
    }
    assert.notDeepEqual(haltonSequence({ space: pair, seed: 1 })(5), haltonSequence({ space: pair, seed: 2 })(5));
  });
});

describe("samplers by name", () => {
  it("say which there are when one is misspelt", () => {
    const misspelt = "tpee" as SamplerName;
    assert.throws(
      () => samplerNamed(misspelt, { space, seed: 1 }),
      /there is no sampler "tpee"; the samplers are random, halton, tpe, cma-es, steps, nsga2/,
    );
  });
});

describe("importance", () => {
  it("is high for what decides, and about nothing for what does not", () => {
    const place = haltonSequence({ space, seed: 4 });
    const trials = Array.from({ length: 200 }, (_, i) => trialAt([...place(i)], (place(i)[0] - 0.3) ** 2));
    const [x, n, kind] = importances(trials, 3);
    assert.ok(x > 0.8 && n < 0.1 && kind < 0.1, `${x} ${n} ${kind}`);
  });
});
