import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { inline } from "./in-process.ts";
import { poolKind, poolKinds, poolOf, registerPool } from "./registry.ts";

describe("kinds of pools", () => {
  it("make the pool they name, with the options it knows", async () => {
    for (const { kind, oneAtATime } of poolKinds()) {
      const pool = await poolOf(kind, { workers: 2, maxInFlight: 5 });
      assert.deepEqual([pool.kind, pool.workers], [kind, oneAtATime === true ? 1 : 2]);
    }
  });

  it("that are not there are named, with those that are and what to do", () => {
    assert.throws(() => poolKind("cloud", ": choose another with --pool"), {
      name: "UsageError",
      message:
        'there is no pool "cloud" here (there is inline, threads, processes, concurrent): choose another with --pool',
    });
  });

  it("can be added once", async () => {
    const toy = { kind: "toy", description: "a toy", endsChildren: false, make: async () => inline() };
    registerPool(toy);
    assert.equal(poolKinds().at(-1), toy);
    assert.equal((await poolOf("toy")).kind, "inline");
    assert.throws(() => registerPool(toy), /two pools called "toy"/);
  });
});
