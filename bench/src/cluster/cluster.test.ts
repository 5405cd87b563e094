import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { noRedisHere } from "@coppice/cluster";
import { onlyInSoak } from "@coppice/engine/soak";
import { clusterBench } from "./cluster.ts";

const missing = noRedisHere();

describe("the cluster benchmark", { skip: missing === undefined ? false : `skipped: ${missing}` }, () => {
  it(
    "measures every duration on every side, weighs, times, and judges each goal by what it measured",
    onlyInSoak(),
    async () => {
      const { figures, goals } = await clusterBench({ quick: true });
      assert.equal(Object.keys(figures).length, 9 + 5 + 8 + 1);
      for (const [name, { value }] of Object.entries(figures)) assert.ok(value > 0, `${name}: ${value}`);
      assert.equal(goals.length, 4 + 3 + 1);
      for (const { name, value, goal, ok } of goals) {
        const [comparison, target] = goal.split(" ");
        assert.equal(ok, comparison === ">=" ? value >= Number(target) : value <= Number(target), name);
      }
    },
  );
});
