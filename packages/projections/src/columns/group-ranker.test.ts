import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { type Pair, rankPairs } from "../../test/twin/rank-pairs.ts";
import { buildGroups } from "./build-groups.ts";
import type { Columns } from "./columns.ts";
import { GroupRanker } from "./group-ranker.ts";

/** One group of players, ranked by the column kernel. */
function ranked(pairs: readonly Pair[]): readonly number[] {
  const actual = Float64Array.from(pairs, (pair) => pair.actual);
  const groups = buildGroups(
    Int32Array.of(0, pairs.length),
    actual,
    pairs.map((pair) => pair.name),
  );
  const ranker = new GroupRanker(groups as unknown as Columns);
  const projected = Float64Array.from(pairs, (pair) => pair.projected);
  // Something else first, and the same twice: numbers must be of what was ranked last.
  ranker.rank(0, projected.toReversed());
  ranker.rank(0, projected);
  ranker.rank(0, projected);
  return [...ranker.rankings];
}

function pairs(projected: readonly number[], actual: readonly number[]): readonly Pair[] {
  return projected.map((p, i) => ({ name: `player ${i}`, projected: p, actual: actual[i] ?? 0 }));
}

describe("ranking a position's players", () => {
  it("agrees with the definitions on groups full of ties and shared names", () => {
    const pair = fc.record({
      name: fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz"),
      projected: fc.integer({ min: -3, max: 12 }),
      actual: fc.integer({ min: 3, max: 14 }),
    });
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 70 }), (group) => {
        const { pairwise, top5, top10, top20, spearman } = rankPairs("QB", group);
        assert.deepEqual(ranked(group), [pairwise, top5, top10, top20, spearman]);
      }),
      { numRuns: 400, seed: 2 },
    );
  });

  it("is 1 for a perfect order and 0 (correlation -1) for a reversed one", () => {
    assert.deepEqual(ranked(pairs([1, 2, 3, 4, 5, 6], [4, 5, 6, 7, 8, 9])), [1, 1, Number.NaN, Number.NaN, 1]);
    assert.deepEqual(ranked(pairs([6, 5, 4, 3, 2, 1], [4, 5, 6, 7, 8, 9])), [0, 0.8, Number.NaN, Number.NaN, -1]);
  });

  it("is undefined without comparisons", () => {
    assert.deepEqual(ranked(pairs([1, 2], [5, 5])), [Number.NaN, Number.NaN, Number.NaN, Number.NaN, Number.NaN]);
    assert.deepEqual(ranked(pairs([1], [5])), [Number.NaN, Number.NaN, Number.NaN, Number.NaN, Number.NaN]);
  });

  it("counts a projected tie as not greater, seen from the player loaded first", () => {
    assert.equal(ranked(pairs([2, 2], [4, 5]))[0], 1);
    assert.equal(ranked(pairs([2, 2], [5, 4]))[0], 0);
  });

  it("leaves out players below three points", () => {
    assert.equal(ranked(pairs([9, 1, 2], [2.9, 4, 5]))[0], 1);
  });
});
