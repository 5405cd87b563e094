import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { inline, type PoolFactory, processes, RunNotDone, start, threads } from "@coppice/engine";
import { inTurn, soak } from "@coppice/engine/soak";
import { drawnValues } from "@coppice/search";
import { realSeasons, skip } from "../../test/reference-numbers.ts";
import { buildColumns } from "../columns/build.ts";
import { ColumnEvaluator } from "../columns/column-evaluator.ts";
import { shareColumns } from "../columns/shared-columns.ts";
import { PARAMETERS } from "../config/parameters.ts";
import { startingBaseline } from "../config/starting-point.ts";
import { HORIZONS } from "../horizon.ts";
import { generateSeasons } from "../synthetic/generate.ts";
import { poolFor } from "./accuracy-runner.ts";
import { footballTournament } from "./football-tuning.ts";
import { judgeConfiguration, type TuningContext, tuningEvaluator } from "./judge.ts";
import type { ObjectiveName } from "./objective.ts";
import { asParameter } from "./ranges-file.ts";

const columns = shareColumns(buildColumns(generateSeasons(21, ["2101"])));

function tournament(objective: ObjectiveName, testValues = 2) {
  return footballTournament({
    horizons: HORIZONS,
    baseline: startingBaseline().horizons,
    parameters: PARAMETERS.slice(0, 6).map(asParameter),
    values: drawnValues(42, testValues),
    objective,
    maxPasses: 2,
  });
}

function begin(objective: ObjectiveName, pool: PoolFactory, journal?: { directory: string; resume: boolean }) {
  const context: TuningContext = { metrics: objective === "mae" ? "mae" : "all", data: "shared" };
  return start({
    search: tournament(objective),
    evaluator: tuningEvaluator,
    context,
    shared: { columns },
    pool,
    seed: 42,
    ...(journal === undefined ? {} : { journal }),
  });
}

describe("tuning football parameters", () => {
  it("A-24 finds the same winners on one worker or several, threads or processes", async () => {
    for (const objective of ["mae", "pairwise"] as const) {
      const reference = await (await begin(objective, inline())).finished;
      assert.ok(reference.result.rounds.length >= 6);
      const pools = {
        mae: [processes({ workers: 2 }), threads({ workers: 1 }), threads({ workers: 8 })],
        pairwise: [threads({ workers: 3 })],
      };
      for (const pool of inTurn<PoolFactory>(pools[objective], 0)) {
        const other = await (await begin(objective, pool)).finished;
        assert.equal(other.digest, reference.digest);
        assert.deepEqual(other.result, reference.result);
      }
    }
  });

  it("A-13 opens its workers when it first needs them, and once for all parameters", async () => {
    const folder = mkdtempSync(join(tmpdir(), "coppice-tune-"));
    try {
      const { pool, workers } = poolFor({ maxWorkers: 1, useProcesses: true });
      assert.deepEqual([pool.kind, workers], ["processes", 1]);
      let opened = 0;
      const counted: PoolFactory = {
        ...pool,
        open: (job, listener) => {
          opened++;
          return pool.open(job, listener);
        },
      };
      const journal = { directory: join(folder, "run"), resume: false };
      const { result } = await (await begin("mae", counted, journal)).finished;
      assert.ok(result.rounds.length >= 6);
      assert.equal(opened, 1);
      await (await begin("mae", counted, { ...journal, resume: true })).finished;
      assert.equal(opened, 1, "what the journal answers needs no worker");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("gives the same winners when it is interrupted again and again and resumed", async () => {
    const reference = await (await begin("mae", inline())).finished;
    const folder = mkdtempSync(join(tmpdir(), "coppice-tune-"));
    try {
      const directory = join(folder, "run");
      for (let attempt = 0, stopAt = 15; ; attempt++, stopAt += 40) {
        // Starting workers is what takes long here: once is enough, unless it is a soak.
        const pool = attempt === 1 || soak(0, 1) > 0 ? threads({ workers: 2 }) : inline();
        const run = await begin("mae", pool, { directory, resume: attempt > 0 });
        run.subscribe((event) => {
          if (event.type === "told" && event.told >= stopAt && event.told < reference.tells) run.interrupt();
        });
        try {
          const done = await run.finished;
          assert.equal(done.digest, reference.digest);
          assert.deepEqual(done.result, reference.result);
          assert.ok(attempt >= 2, `interrupted ${attempt} times`);
          break;
        } catch (error) {
          assert.ok(error instanceof RunNotDone, String(error));
        }
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("A-26 works end to end with two test values: fifteen configurations per parameter", async () => {
    const { result } = await (await begin("mae", inline())).finished;
    for (const round of result.rounds) assert.equal(round.entries.length, 15);
    assert.deepEqual(
      Object.keys(result.best),
      HORIZONS.map((h) => h.key),
    );
  });

  it("writes thresholds where the evaluation reads them", async () => {
    const steps = PARAMETERS.find((parameter) => parameter.name === "PERFORMANCE_SCORING_STEPS") ?? assert.fail();
    assert.deepEqual(steps.path, ["PERFORMANCE_SCORING", "THRESHOLDS", "STEPS"]);
    const evaluator = new ColumnEvaluator(buildColumns(generateSeasons(21, ["2101"])));
    const judged = [0.05, 0.25].map((value) => {
      const start = structuredClone(startingBaseline().horizons["10-13"]) as Record<
        string,
        { THRESHOLDS: { STEPS: number } }
      >;
      (start.PERFORMANCE_SCORING ?? assert.fail()).THRESHOLDS.STEPS = value;
      return judgeConfiguration({ evaluator, metrics: "mae" }, start, ["week_10_13"]).week_10_13?.mae;
    });
    assert.notEqual(judged[0], judged[1], "the parameter has an effect");
  });
});

describe("tuning on real seasons", { skip }, () => {
  it("ends no worse than the baseline on any horizon", async () => {
    const shared = shareColumns(buildColumns(realSeasons().seasons));
    const search = tournament("mae", 4);
    const run = await start({
      search,
      evaluator: tuningEvaluator,
      context: { metrics: "mae", data: "shared" } satisfies TuningContext,
      shared: { columns: shared },
      pool: inline(),
    });
    const { result } = await run.finished;
    for (const { key } of HORIZONS) {
      const own = result.rounds[0]?.entries.find((entry) => entry.horizon === key && entry.testIndex === 0);
      assert.ok((result.best[key]?.result.mae ?? 99) <= (own?.objective[key] ?? 0));
    }
  });
});
