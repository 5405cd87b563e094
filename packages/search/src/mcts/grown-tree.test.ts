import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { runByHand } from "../../test/by-hand.ts";
import { Mcts } from "./mcts.ts";
import type { Problem } from "./problem.ts";

/** Sums of up to six ones and twos; ways that give the same sum of as many are one state. */
const sums: Problem<readonly [count: number, sum: number], number> = {
  root: [0, 0],
  actions: () => [1, 2],
  step: ([count, sum], add) => [count + 1, sum + add],
  isTerminal: ([count]) => count === 6,
  key: (state) => state.join(),
};

describe("the tree that a search has grown", () => {
  const search = new Mcts(sums, { seed: 1, goal: "minimise", budget: { evaluations: 25 } });
  runByHand(search, ([, sum]) => sum);
  const { nodes, leftOut } = search.tree();

  it("has the visits, priors and mean values of the search, and the path that was visited most", () => {
    assert.equal(leftOut, 0);
    const own = search
      .statistics()
      .map(({ prior, visits, total }) => ({ prior, visits, value: visits === 0 ? null : total / visits }));
    const listed = nodes.slice(1).map(({ prior, visits, value }) => ({ prior, visits, value }));
    const sorted = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort();
    assert.deepEqual(sorted(listed), sorted(own));
    assert.deepEqual(
      nodes.filter(({ best, parent }) => best && parent !== null).map(({ name }) => Number(name)),
      search.result().mostVisited,
    );
  });

  it("lists every node after the one it is below", () => {
    for (const [at, { parent }] of nodes.entries())
      assert.ok(at === 0 ? parent === null : parent !== null && parent < at);
  });
});
