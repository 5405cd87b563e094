import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { chiSquareDeviations, kolmogorovStatistic, meanDeviations } from "../../test/goodness-of-fit.ts";
import { type Random, random } from "./random.ts";

const draws = 200_000;
const seeds = [1, 2, 3];

function sample(stream: Random, count: number, draw: (stream: Random) => number): Float64Array {
  return Float64Array.from({ length: count }, () => draw(stream));
}

function within(value: number, limit: number, what: string): void {
  assert.ok(Math.abs(value) < limit, `${what}: ${value} is not within ±${limit}`);
}

describe("uniform", () => {
  for (const seed of seeds) {
    it(`fills 256 cells evenly and follows F(x) = x (seed ${seed})`, () => {
      const numbers = sample(random(seed).at("uniform"), draws, (stream) => stream.uniform());
      const counts = new Float64Array(256);
      for (const x of numbers) counts[Math.floor(x * 256)] += 1;
      within(
        chiSquareDeviations(counts, () => draws / 256),
        4,
        "chi-square",
      );
      within(
        kolmogorovStatistic(numbers, (x) => x),
        1.95,
        "Kolmogorov",
      );
    });
  }

  it("uses all 53 bits: the last ones are as even as the first", () => {
    const counts = new Float64Array(64);
    const stream = random(4).at("low bits");
    for (let i = 0; i < draws; i++) counts[(stream.uniform() * 2 ** 53) % 64] += 1;
    within(
      chiSquareDeviations(counts, () => draws / 64),
      4,
      "chi-square",
    );
  });

  it("does not let one number foretell the next", () => {
    const counts = new Float64Array(32 * 32);
    const stream = random(5).at("pairs");
    for (let i = 0; i < draws; i++) {
      const row = Math.floor(stream.uniform() * 32);
      counts[row * 32 + Math.floor(stream.uniform() * 32)] += 1;
    }
    within(
      chiSquareDeviations(counts, () => draws / 1024),
      4,
      "chi-square",
    );
  });
});

describe("integer", () => {
  it("gives every number of an inclusive range equally often, also where the range is no power of two", () => {
    for (const [min, max] of [
      [0, 1],
      [-3, 3],
      [0, 99],
      [1_000_000, 1_000_130],
    ] as const) {
      const counts = new Float64Array(max - min + 1);
      const stream = random(6).at(`${min}..${max}`);
      for (let i = 0; i < draws; i++) counts[stream.integer(min, max) - min] += 1;
      within(
        chiSquareDeviations(counts, () => draws / counts.length),
        4,
        `${min}..${max}`,
      );
    }
  });

  it("is unbiased where a remainder of 32 bits would favour the lower third by half", () => {
    const count = 3 * 2 ** 30;
    const stream = random(7).at("bias");
    const thirds = new Float64Array(3);
    for (let i = 0; i < draws; i++) thirds[Math.floor(stream.integer(0, count - 1) / 2 ** 30)] += 1;
    within(
      chiSquareDeviations(thirds, () => draws / 3),
      4,
      "thirds",
    );
  });

  it("reaches ranges beyond 32 bits evenly", () => {
    const stream = random(8).at("wide");
    const counts = new Float64Array(100);
    const width = 2 ** 53 - 2 ** 20;
    for (let i = 0; i < draws; i++) counts[Math.floor((stream.integer(0, width - 1) / width) * 100)] += 1;
    within(
      chiSquareDeviations(counts, () => draws / 100),
      4,
      "wide",
    );
  });

  it("stays within any range", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.maxSafeNat(), fc.maxSafeInteger(), (min, span, seed) => {
        const max = Math.min(Number.MAX_SAFE_INTEGER, min + Math.min(span, Number.MAX_SAFE_INTEGER));
        if (!Number.isSafeInteger(max - min)) return;
        const drawn = random(seed).integer(min, max);
        assert.ok(Number.isSafeInteger(drawn) && drawn >= min && drawn <= max);
      }),
    );
  });

  it("refuses ranges that are empty, fractional or too wide", () => {
    for (const [min, max] of [
      [1, 0],
      [0.5, 2],
      [0, Number.NaN],
      [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    ] as const) {
      assert.throws(() => random(1).integer(min, max), /whole numbers with min <= max/);
    }
  });
});

describe("choice and shuffle", () => {
  it("gives each of the 120 orders of five items equally often", () => {
    const counts = new Map<string, number>();
    const stream = random(9).at("orders");
    const rounds = 60_000;
    for (let i = 0; i < rounds; i++) {
      const order = stream.shuffle(["a", "b", "c", "d", "e"]).join("");
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    assert.equal(counts.size, 120);
    within(
      chiSquareDeviations([...counts.values()], () => rounds / 120),
      4,
      "orders",
    );
  });

  it("keeps every item and leaves the original alone", () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.maxSafeInteger(), (items, seed) => {
        const before = [...items];
        const shuffled = random(seed).shuffle(items);
        assert.deepEqual(items, before);
        assert.deepEqual([...shuffled].sort(), [...items].sort());
      }),
    );
  });

  it("chooses in proportion to the weights and never what weighs nothing", () => {
    const weights = [0, 1, 2, 0, 3.5, 0.5, 0];
    const total = 7;
    const counts = new Float64Array(weights.length);
    const stream = random(10).at("weights");
    for (let i = 0; i < draws; i++) counts[stream.weightedIndex(weights)] += 1;
    assert.deepEqual([counts[0], counts[3], counts[6]], [0, 0, 0]);
    const possible = [1, 2, 4, 5];
    const seen = possible.map((i) => counts[i]);
    within(
      chiSquareDeviations(seen, (cell) => (draws * weights[possible[cell]]) / total),
      4,
      "weights",
    );
    const items = ["a", "b", "c"];
    assert.equal(random(1).weightedChoice(items, [0, 0, 1e-300]), "c");
    assert.ok(items.includes(random(1).choice(items)));
  });

  it("refuses what cannot be chosen from", () => {
    assert.throws(() => random(1).choice([]), /at least one item/);
    assert.throws(() => random(1).weightedIndex([]), /at least one above 0/);
    assert.throws(() => random(1).weightedIndex([0, 0]), /at least one above 0/);
    assert.throws(() => random(1).weightedIndex([1, -1]), /weight 1 is -1/);
    assert.throws(() => random(1).weightedIndex([Number.NaN]), /weight 0 is NaN/);
    assert.throws(() => random(1).weightedIndex([1e308, 1e308]), /too large/);
    assert.throws(() => random(1).weightedChoice(["a"], [1, 2]), /one weight per item, not 2 for 1/);
  });
});

describe("normal", () => {
  for (const seed of seeds) {
    it(`follows the normal distribution (seed ${seed})`, () => {
      const numbers = sample(random(seed).at("normal"), draws, (stream) => stream.normal());
      within(kolmogorovStatistic(numbers, normalDistribution), 1.95, "Kolmogorov");
      within(meanDeviations(numbers, 0, 1), 4, "mean");
      within(
        meanDeviations(
          numbers.map((x) => x * x),
          1,
          2,
        ),
        4,
        "variance",
      );
      within(
        meanDeviations(
          numbers.map((x) => x ** 4),
          3,
          96,
        ),
        4,
        "fourth moment",
      );
    });
  }

  it("is shifted by its mean and scaled by its deviation", () => {
    const standard = random(11).at("n");
    const scaled = random(11).at("n");
    for (let i = 0; i < 100; i++) assert.equal(scaled.normal(10, 3), 10 + 3 * standard.normal());
    assert.equal(random(1).normal(5, 0), 5);
    assert.throws(() => random(1).normal(0, -1), /deviation of at least 0/);
    assert.throws(() => random(1).normal(Number.NaN), /finite mean/);
  });
});

describe("gamma", () => {
  for (const shape of [0.05, 0.3, 0.9, 1, 2.5, 50]) {
    it(`has the mean and variance of shape ${shape}`, () => {
      const numbers = sample(random(12).at(`gamma ${shape}`), draws, (stream) => stream.gamma(shape));
      within(meanDeviations(numbers, shape, shape), 4, "mean");
      const squares = numbers.map((x) => (x - shape) ** 2);
      within(meanDeviations(squares, shape, 2 * shape ** 2 + 6 * shape), 4, "variance");
    });
  }

  it("is exponential at shape 1 and chi-square of one degree, halved, at shape 1/2", () => {
    const exponential = sample(random(13).at("1"), draws, (stream) => stream.gamma(1));
    within(
      kolmogorovStatistic(exponential, (x) => 1 - Math.exp(-x)),
      1.95,
      "shape 1",
    );
    const half = sample(random(13).at("1/2"), draws, (stream) => stream.gamma(0.5));
    within(
      kolmogorovStatistic(half, (x) => 2 * normalDistribution(Math.sqrt(2 * x)) - 1),
      1.95,
      "shape 1/2",
    );
  });

  it("is stretched by its scale and refuses a shape or scale that is not above 0", () => {
    assert.equal(random(14).gamma(0.7, 8), 8 * random(14).gamma(0.7));
    for (const wrong of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.throws(() => random(1).gamma(wrong), /above 0/);
      assert.throws(() => random(1).gamma(1, wrong), /above 0/);
    }
  });
});

describe("dirichlet", () => {
  it("gives shares that sum to 1 however small the concentrations are", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 1e-6, max: 1e3, noNaN: true }), { minLength: 1, maxLength: 40 }),
        fc.maxSafeInteger(),
        (concentrations, seed) => {
          const shares = random(seed).dirichlet(concentrations);
          const sum = shares.reduce((total, share) => total + share, 0);
          assert.ok(Math.abs(sum - 1) < 1e-12 && shares.every((share) => share >= 0 && share <= 1));
        },
      ),
    );
  });

  it("gives every share the mean and mean square that its concentrations say", () => {
    const concentrations = [0.03, 0.5, 1, 4];
    const total = 5.53;
    const stream = random(15).at("noise");
    const rounds = 100_000;
    const shares = Array.from({ length: rounds }, () => stream.dirichlet(concentrations));
    for (const [i, concentration] of concentrations.entries()) {
      // A share is beta distributed: its k-th moment is the product of (concentration + r) / (total + r) for r < k.
      const moments = [1];
      for (let r = 0; r < 4; r++) moments.push((moments[r] * (concentration + r)) / (total + r));
      const [, first, second, , fourth] = moments;
      const column = shares.map((row) => row[i]);
      within(meanDeviations(column, first, second - first ** 2), 4, `mean of share ${i}`);
      const squares = column.map((share) => share ** 2);
      within(meanDeviations(squares, second, fourth - second ** 2), 4, `mean square of share ${i}`);
    }
  });

  it("refuses a concentration that is not above 0", () => {
    assert.throws(() => random(1).dirichlet([1, 0]), /concentration 1 is a finite number above 0, not 0/);
  });
});

/** Φ by its power series x·Σ x²ᵏ/(1·3·…·(2k+1)), exact enough for |x| < 8. */
function normalDistribution(x: number): number {
  if (x < -8) return 0;
  if (x > 8) return 1;
  let term = x;
  let sum = x;
  for (let odd = 3; Math.abs(term) > 1e-17 * Math.abs(sum); odd += 2) {
    term *= (x * x) / odd;
    sum += term;
  }
  return 0.5 + (sum * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI);
}
