import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { noRedisHere } from "@coppice/cluster";
import { clusterBench } from "./cluster.ts";

const missing = noRedisHere();

describe("the cluster benchmark", { skip: missing === undefined ? false : `skipped: ${missing}` }, () => {
  it("measures every duration on every side and judges each goal by what it measured", async () => {
    const { figures, goals } = await clusterBench({ quick: true });
    assert.equal(Object.keys(figures).length, 9);
    for (const [name, { value }] of Object.entries(figures)) assert.ok(value > 0, `${name}: ${value}`);
    assert.equal(goals.length, 4);
    for (const { name, value, goal, ok } of goals) assert.equal(ok, value >= Number(goal.slice(3)), name);
  });
});
