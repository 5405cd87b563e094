import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { onlyInSoak } from "@coppice/engine/soak";
import { benches } from "../benches.ts";
import { FUNCTIONS } from "./functions.ts";
import { pythonWithOptuna } from "./optuna.ts";
import { searchOurs } from "./ours.ts";
import { samplersBench, samplersParts } from "./samplers.ts";

describe("coppice bench samplers", () => {
  it("measures our samplers, and Optuna's where there is one", onlyInSoak(), async () => {
    const lines: string[] = [];
    const { figures, goals } = await samplersBench({ quick: true, progress: (line) => lines.push(line) });
    assert.ok(figures["ours tpe, window 1: median regret at 16"].value >= 0);
    assert.equal(figures["ours: identical pairs of runs with 8 workers"].value, 1);
    assert.equal(figures["ours cma-es: regret with window 8 / with 1"].value, 1);
    if (pythonWithOptuna() === undefined) assert.match(lines[0], /^Optuna is skipped/);
    else assert.equal(goals.length, 7);
  });

  it("names the parts it can be cut down to", () => assert.deepEqual(benches.samplers.parts, samplersParts()));

  it("can be cut down to methods, numbers of trials and functions", onlyInSoak(), async () => {
    const parts = ["cma-es", "50-trials", "sphere-2"];
    const { figures } = await samplersBench({ rounds: 1, parts, pairs: 1 });
    assert.ok("ours cma-es, window 8: median regret at 50" in figures);
    assert.ok(!Object.keys(figures).some((name) => / tpe|at 200/.test(name)));
  });

  it("has twelve functions that go no lower than they say, and can be found", () => {
    assert.equal(FUNCTIONS.length, 12);
    for (const f of FUNCTIONS) {
      const { values } = searchOurs("random", f, 200, 1, 1);
      assert.ok(Math.min(...values) >= f.lowest - 1e-9, f.name);
    }
    const { values } = searchOurs("cma-es", FUNCTIONS[0], 300, 8, 1);
    assert.ok(Math.min(...values) < 1e-6);
  });
});
