import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { buildColumns } from "../columns/build.ts";
import { ColumnEvaluator } from "../columns/column-evaluator.ts";
import { STARTING_PARAMETERS } from "../config/starting-point.ts";
import { HORIZONS } from "../horizon.ts";
import { loadSeasons } from "../seasons/load.ts";
import { writeSeasonFiles } from "../seasons/write-season-files.ts";
import { generateSeasons } from "../synthetic/generate.ts";
import { AccuracyRunner } from "./accuracy-runner.ts";
import { judgeConfiguration } from "./judge.ts";

const folder = mkdtempSync(join(tmpdir(), "coppice-runner-"));
const keys = HORIZONS.map((horizon) => horizon.key);
const configurations = [80, 120, 160, 80, 200].map((scale) => ({
  ...STARTING_PARAMETERS,
  NORMALIZATION_MAX_SCALE: scale,
}));

function alone(): unknown {
  const evaluator = new ColumnEvaluator(buildColumns(loadSeasons(folder).seasons));
  return configurations.map((configuration) => judgeConfiguration({ evaluator, metrics: "all" }, configuration, keys));
}

describe("the accuracy runner", () => {
  before(() => writeSeasonFiles(folder, generateSeasons(9, ["2101"])));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("A-01 A-02 A-03 judges a configuration by a function of its own: five horizons, each with its error and players", () => {
    const evaluator = new ColumnEvaluator(buildColumns(loadSeasons(folder).seasons));
    const results = judgeConfiguration({ evaluator, metrics: "mae" }, STARTING_PARAMETERS, keys);
    assert.deepEqual(Object.keys(results), ["ros", "week_1_5", "week_6_9", "week_10_13", "week_14_17"]);
    for (const { mae, player_count, total_error } of Object.values(results)) {
      assert.ok(player_count > 100);
      assert.ok(mae > 0 && Math.abs(mae - total_error / player_count) < 1e-12);
    }
    assert.deepEqual(judgeConfiguration({ evaluator, metrics: "mae" }, STARTING_PARAMETERS, keys), results);
  });

  it("A-04 A-05 needs a folder and seasons, and starts nothing for an empty list", async () => {
    const lines: string[] = [];
    const runner = new AccuracyRunner({ dataFolder: folder, seasons: ["2101"], log: (line) => lines.push(line) });
    assert.deepEqual(await runner.evaluate([]), []);
    assert.deepEqual(lines, []);
  });

  for (const useProcesses of [false, true]) {
    it(`A-06 A-07 A-08 A-11 A-12 gives results in order on ${useProcesses ? "processes" : "threads"}, duplicates too`, async () => {
      const lines: string[] = [];
      const counts: number[] = [];
      const runner = new AccuracyRunner({
        dataFolder: folder,
        seasons: ["2101"],
        maxWorkers: 2,
        useProcesses,
        log: (line) => lines.push(line),
      });
      const results = await runner.evaluate(configurations, (done) => counts.push(done));
      assert.deepEqual(results, alone());
      assert.deepEqual(results[0], results[3]);
      assert.deepEqual(counts, [1, 2, 3, 4, 5]);
      assert.match(
        lines[0] ?? "",
        /^5 configs × 5 horizons = 25 total evaluations, on (1 (thread|process)|\d (threads|processes))$/,
      );
    });
  }

  it("A-09 A-10 rejects the whole call at the first failure, and says why; a callback is not needed", async () => {
    const lines: string[] = [];
    const runner = new AccuracyRunner({
      dataFolder: folder,
      seasons: ["2101"],
      maxWorkers: 1,
      useProcesses: false,
      log: (line) => lines.push(line),
    });
    const broken = { ...STARTING_PARAMETERS, NORMALIZATION_MAX_SCALE: "wide" };
    await assert.rejects(
      runner.evaluate([STARTING_PARAMETERS, broken]),
      /NORMALIZATION_MAX_SCALE must be a finite number/,
    );
    assert.match(lines.at(-1) ?? "", /^evaluation failed: .*NORMALIZATION_MAX_SCALE/);
    const many = Array.from({ length: 60 }, (_, i) => ({ ...STARTING_PARAMETERS, NORMALIZATION_MAX_SCALE: 60 + i }));
    let done = 0;
    await assert.rejects(runner.evaluate([broken, ...many], (count) => (done = count)));
    assert.equal(done, 0, "what comes after the failure is not waited for");
  });
});
