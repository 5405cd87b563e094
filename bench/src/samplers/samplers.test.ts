import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { onlyInSoak } from "@coppice/engine/soak";
import { benches } from "../benches.ts";
import { FUNCTIONS } from "./functions.ts";
import { KeptSearches } from "./kept-searches.ts";
import { Optuna, pythonWithOptuna } from "./optuna.ts";
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
    else assert.equal(goals.length, 5);
  });

  it("names the parts it can be cut down to", () => assert.deepEqual(benches.samplers.parts, samplersParts()));

  it("can be cut down to methods, numbers of trials and functions", onlyInSoak(), async () => {
    const parts = ["cma-es", "50-trials", "sphere-2"];
    const { figures, partial } = await samplersBench({ rounds: 1, parts, pairs: 1 });
    assert.match(partial ?? "", /only 1 of 20 seeds; only 1 of 12 functions; .*at 1,000 trials is not measured$/);
    assert.ok("ours cma-es, window 8: median regret at 50" in figures);
    assert.ok(!Object.keys(figures).some((name) => / tpe|at 200/.test(name)));
  });

  const python = pythonWithOptuna();
  const withOptuna = python === undefined ? { skip: "needs Debian's python3-optuna and python3-cmaes" } : onlyInSoak();
  it("hastens Optuna's TPE without changing what it finds", withOptuna, async () => {
    const asItComes = new Optuna(python ?? "");
    const hastened = new Optuna(python ?? "", "hastened");
    try {
      for (const f of FUNCTIONS.filter(({ name }) => /^(conditional 5|choices 8|whole numbers 6|rates)/.test(name))) {
        for (const window of [1, 8]) {
          const task = { method: "tpe", trials: 60, window, seed: 5 } as const;
          const [slow, fast] = [await asItComes.search(f, task), await hastened.search(f, task)];
          assert.ok(slow.values.every((value, i) => Math.abs(value - fast.values[i]) <= 1e-9 * (1 + Math.abs(value))));
        }
      }
    } finally {
      asItComes.close();
      hastened.close();
    }
  });

  it("does not make a search again that was kept", async () => {
    const folder = mkdtempSync(join(tmpdir(), "coppice-samplers-"));
    try {
      const file = join(folder, "kept.csv");
      const of = { method: "tpe", window: 8, name: "sphere 2", seed: 3 };
      const found = { regrets: [0.5, 1e-7], lastMs: 2.25 };
      await new KeptSearches(file, [50, 200]).search(of, async () => found);
      const again = () => assert.fail("made again");
      assert.deepEqual(await new KeptSearches(file, [50, 200]).search(of, again), found);
      const other = { regrets: [1], lastMs: 1 };
      assert.deepEqual(await new KeptSearches(file, [50]).search(of, async () => other), other);
      writeFileSync(file, "a,b\n");
      assert.throws(() => new KeptSearches(file, [50]), /its first line is not method,window,/);
    } finally {
      rmSync(folder, { recursive: true });
    }
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
