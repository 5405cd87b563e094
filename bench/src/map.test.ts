import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";
import { commandBench } from "./command.ts";
import { mapBench } from "./map.ts";

const noPython = spawnSync("python3", ["--version"]).status === 0 ? false : "python3 is not installed";

describe("the benchmarks of commands", () => {
  it("command puts a worker with a Python program beside a plain loop", { skip: noPython }, async () => {
    const { figures, goals } = await commandBench({ quick: true });
    // Each task works for a millisecond.
    for (const side of ["one worker", "a plain loop"]) assert.ok(figures[side].value >= 1000, side);
    assert.deepEqual([goals.length, goals[0].goal], [1, "<= 1.3"]);
  });

  it("map runs commands in order beside those that are installed, and says which are not", async () => {
    const said: string[] = [];
    const { figures, goals } = await mapBench({ quick: true, progress: (line) => said.push(line) });
    assert.ok(figures["coppice map"].value > 0.04);
    assert.equal(goals[0].ok, true);
    assert.equal(Object.keys(figures).length + said.filter((line) => line.includes("skipped")).length, 3);
  });
});
