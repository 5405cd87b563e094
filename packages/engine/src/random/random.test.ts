import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { chiSquareDeviations } from "../../test/goodness-of-fit.ts";
import { Random, random } from "./random.ts";

const name = fc.oneof(fc.string({ unit: "binary", maxLength: 12 }), fc.maxSafeInteger());

describe("streams by name", () => {
  it("do not depend on how much was drawn above or beside them", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.array(name, { maxLength: 5 }), fc.nat(50), (seed, path, before) => {
        const quiet = path.reduce<Random>((stream, step) => stream.at(step), random(seed));
        const busy = path.reduce<Random>((stream, step) => {
          for (let i = 0; i < before; i++) stream.at("elsewhere").normal(stream.uniform());
          return stream.at(step);
        }, random(seed));
        assert.deepEqual(first(busy, 4), first(quiet, 4));
      }),
    );
  });

  it("differ when the seed, a name, the order of names or the depth differs", () => {
    const streams = [
      random(1),
      random(2),
      random(-1),
      random(1 + 2 ** 32),
      random(1).at(""),
      random(1).at("").at(""),
      random(1).at("a"),
      random(1).at("b"),
      random(1).at("ab"),
      random(1).at("a").at("b"),
      random(1).at("b").at("a"),
      random(1).at("a/b"),
      random(1).at("a\0"),
      random(2).at("a"),
    ];
    const seen = new Set(streams.map((stream) => first(stream, 2).join()));
    assert.equal(seen.size, streams.length);
  });

  it("treat a number and its digits as one name", () => {
    assert.equal(random(1).at(3).uniform(), random(1).at("3").uniform());
  });

  it("do not collide among 300,000 places", () => {
    const seen = new Set<string>();
    for (let root = 0; root < 300; root++) {
      const tree = random(root % 3).at(`root/${root}`);
      for (let node = 0; node < 1000; node++) seen.add(tree.at(node).state().identity.join());
    }
    assert.equal(seen.size, 300_000);
  });

  for (const [relation, pair] of [
    ["neighbours", (i: number) => [random(3).at(i), random(3).at(i + 1)]],
    ["parent and child", (i: number) => [random(3).at(i), random(3).at(i).at("expand")]],
    ["the same name under neighbouring seeds", (i: number) => [random(i).at("root"), random(i + 1).at("root")]],
    ["trees 10,000 seeds apart", (i: number) => [random(i).at("root"), random(i + 10_000).at("root")]],
  ] as const) {
    it(`are independent between ${relation}`, () => {
      const cells = 24;
      const counts = new Float64Array(cells * cells);
      const rounds = 100_000;
      for (let i = 0; i < rounds; i++) {
        const [one, other] = pair(i);
        counts[Math.floor(one.uniform() * cells) * cells + Math.floor(other.uniform() * cells)] += 1;
      }
      const deviations = chiSquareDeviations(counts, () => rounds / cells ** 2);
      assert.ok(Math.abs(deviations) < 4, `chi-square is ${deviations} deviations off`);
    });
  }

  it("change half of their bits when one character or one bit of the seed changes", () => {
    let flipped = 0;
    const rounds = 4000;
    for (let i = 0; i < rounds; i++) {
      const one = random(i).at("root/3").state().identity;
      const other = (i % 2 === 0 ? random(i).at("root/2") : random(i ^ (1 << (i % 30))).at("root/3")).state().identity;
      for (let word = 0; word < 4; word++) flipped += bitCount(one[word] ^ other[word]);
    }
    // 128 × 4000 fair bits: one standard deviation of their share is 0.0007.
    assert.ok(Math.abs(flipped / (128 * rounds) - 0.5) < 0.003, `share of flipped bits ${flipped / (128 * rounds)}`);
  });
});

describe("golden values", () => {
  // These may never change: a run must give the same answer with every later release.
  it("of the tree of streams", () => {
    assert.deepEqual(random(0).state().identity, [1112429674, -1814662316, -1214393082, 594815673]);
    assert.deepEqual(
      random(42).at("root/3").at("expand").state().identity,
      [2022691168, -1171041, 716706426, 326387261],
    );
    assert.deepEqual(random(-7).at("naïve ✓").state().identity, [-1372864449, -269040255, -1084771128, -1820483762]);
  });

  it("of every distribution", () => {
    const stream = random(42).at("root/3").at("expand");
    assert.deepEqual(
      {
        uniform: first(stream.at("uniform"), 3),
        integers: Array.from({ length: 8 }, () => stream.integer(-5, 5)),
        wide: stream.at("wide").integer(0, Number.MAX_SAFE_INTEGER),
        shuffle: stream.at("shuffle").shuffle([1, 2, 3, 4, 5, 6, 7, 8]),
        choice: stream.at("choice").choice(["a", "b", "c"]),
        weighted: stream.at("weighted").weightedChoice(["a", "b", "c"], [1, 2, 3]),
        normal: stream.at("normal").normal(),
        gamma: stream.at("gamma").gamma(2.5),
        smallGamma: stream.at("gamma").gamma(0.3),
        dirichlet: [...stream.at("dirichlet").dirichlet([0.3, 0.3, 0.3])],
      },
      {
        uniform: [0.6939194838453349, 0.9580449558859309, 0.7816832549914345],
        integers: [-4, 0, -3, -1, 2, -5, 0, -2],
        wide: 6509936189724390,
        shuffle: [8, 4, 2, 3, 6, 1, 7, 5],
        choice: "c",
        weighted: "a",
        normal: 1.9774956182527321,
        gamma: 1.2514001263225856,
        smallGamma: 0.10312129535684103,
        dirichlet: [0.8835799837338085, 0.0015514175163495693, 0.11486859874984187],
      },
    );
  });
});

describe("state", () => {
  it("continues a stream exactly, through JSON", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), name, fc.nat(20), (seed, step, before) => {
        const stream = random(seed).at(step);
        for (let i = 0; i < before; i++) stream.uniform();
        const copy = stream.clone();
        const restored = Random.fromState(JSON.parse(JSON.stringify(stream.state())));
        const expected = [...first(stream, 3), stream.at("below").uniform()];
        assert.deepEqual([...first(copy, 3), copy.at("below").uniform()], expected);
        assert.deepEqual([...first(restored, 3), restored.at("below").uniform()], expected);
      }),
    );
  });

  it("refuses data that is no state", () => {
    const state = random(1).state();
    assert.throws(() => Random.fromState({ ...state, drawn: [1, 2, 3] }), /the drawn of a random state is four/);
    assert.throws(() => Random.fromState({ ...state, identity: [1, 2, 3, 0.5] }), /the identity of a random state/);
    assert.throws(() => Random.fromState({ ...state, drawn: [0, 0, 0, 0] }), /cannot be all zeros/);
  });
});

describe("seeds and names", () => {
  it("accepts any safe integer as a seed", () => {
    for (const seed of [0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]) {
      const drawn = random(seed).uniform();
      assert.ok(drawn >= 0 && drawn < 1);
    }
    assert.equal(random(-0).uniform(), random(0).uniform());
  });

  it("refuses NaN, fractions and numbers too large, in one line that says what is right", () => {
    for (const wrong of [Number.NaN, 0.5, 2 ** 53, Number.POSITIVE_INFINITY]) {
      assert.throws(
        () => random(wrong),
        new RangeError(`a seed is a whole number between -9007199254740991 and 9007199254740991, not ${String(wrong)}`),
      );
    }
    assert.throws(() => random(1).at(0.5), /named by a string or a whole number, not 0.5/);
  });
});

function first(stream: Random, count: number): number[] {
  return Array.from({ length: count }, () => stream.uniform());
}

function bitCount(word: number): number {
  let bits = word >>> 0;
  let count = 0;
  for (; bits !== 0; bits &= bits - 1) count++;
  return count;
}
