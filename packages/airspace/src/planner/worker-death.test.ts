import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { inline, type PoolFactory, processes, start, threads } from "@coppice/engine";
import { inTurn, soak } from "@coppice/engine/soak";
import { cutDownDay } from "../../test/cut-down-day.ts";
import { type DeathPhase, deathsAt, type Mortality } from "../../test/mortal-evaluator.ts";
import { defaultWeights } from "../network/weights.ts";
import type { CommitRules } from "../stepwise/commit-task.ts";
import type { PlannerOptions } from "./planner-options.ts";
import { prepareCommits, preparePopulation, prepareRoots } from "./planning-run.ts";
import type { RootResult } from "./root-search.ts";

const day = cutDownDay();
/** Each root has evaluations enough to tell of its tree. */
const options: PlannerOptions = { policy: "default", seed: 4, evaluations: 5400, without: [] };
const few: PlannerOptions = { ...options, evaluations: 600 };
const evaluator = new URL("../../test/mortal-evaluator.ts", import.meta.url);
const phases = (["setup", "tree", "end", "begin", "annealing"] as const).slice(0, soak(3, 1000));
const pools: Readonly<Record<string, () => PoolFactory>> = {
  threads: () => threads({ workers: 2 }),
  processes: () => processes({ workers: 2 }),
};
let folder = "";
before(() => {
  folder = mkdtempSync(join(tmpdir(), "coppice-deaths-"));
});
after(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
interface Dying {
  readonly phase: DeathPhase;
  readonly times: number;
  readonly key?: string;
}

async function roots(pool: PoolFactory, { phase, times, key = "root/1" }: Dying, timeoutMs = 0) {
  const { inputs: _, ...prepared } = prepareRoots(day, defaultWeights, options, 3);
  const deaths = join(folder, `deaths-${files++}`);
  const context: Mortality = { weights: defaultWeights, phase, key, times, deaths };
  const done = await (await start({ ...prepared, evaluator, context, seed: 4, pool, timeoutMs })).finished;
  return { ...done, died: deathsAt(deaths) };
}

describe("a worker's death", () => {
  let undisturbed: { readonly digest: string; readonly result: RootResult };
  before(async () => {
    undisturbed = await roots(inline(), { phase: "end", times: 0 });
  });

  for (const [turn, phase] of phases.entries()) {
    for (const [name, pool] of inTurn(Object.entries(pools), turn)) {
      it(`F-23: on ${name}, in phase ${phase}: the root is run again from its seed and the plan is the same`, {
        timeout: 300_000,
      }, async () => {
        const { died, digest, result, reproducible } = await roots(pool(), { phase, times: 1 });
        assert.equal(died, 1, "a worker really died");
        assert.equal(digest, undisturbed.digest);
        assert.deepEqual(result, undisturbed.result);
        assert.deepEqual(reproducible, { from: "seed" });
      });
    }
  }

  it("F-23: three of them under one root drop it; the others go on and the run says that it met the machine", {
    timeout: 300_000,
  }, async () => {
    const lost = await roots(processes({ workers: 2 }), { phase: "tree", times: 3 });
    const { best, bestRoot, roots: summaries } = lost.result;
    assert.equal(lost.died, 3);
    assert.deepEqual(
      summaries.map(({ failure }) => failure === undefined),
      [true, false, true],
    );
    assert.match(summaries[1].failure ?? "", /died|lost|ended|SIGKILL/);
    assert.ok(best !== undefined && bestRoot !== 1);
    assert.deepEqual(
      [summaries[0].objective, summaries[2].objective],
      [undisturbed.result.roots[0].objective, undisturbed.result.roots[2].objective],
    );
    assert.equal(lost.reproducible.from, "journal");
    assert.match(lost.reproducible.from === "journal" ? lost.reproducible.reason : "", /^WorkerLost/);
  });

  it("F-23: a root that takes too long is dropped; without any root left there is no plan", {
    timeout: 300_000,
  }, async () => {
    const { inputs: _, ...prepared } = prepareRoots(day, defaultWeights, { ...options, evaluations: 400_000 }, 2);
    const run = await start({ ...prepared, seed: 4, pool: threads({ workers: 2 }), timeoutMs: 150 });
    const { result, reproducible } = await run.finished;
    assert.equal(result.best, undefined);
    for (const { failure } of result.roots) assert.match(failure ?? "", /150 ms/);
    assert.equal(reproducible.from, "journal");
  });

  it("F-23: kill -9 of one of three worker processes from outside changes nothing", { timeout: 300_000 }, async () => {
    const { inputs: _, ...prepared } = prepareRoots(day, defaultWeights, options, 3);
    const run = await start({ ...prepared, seed: 4, pool: processes({ workers: 3 }) });
    let killed = 0;
    let requeued = 0;
    run.subscribe((event) => {
      if (event.type === "requeued") requeued++;
      if (event.type === "started" && event.asks.includes(1) && killed === 0) {
        killed = event.worker.pid;
        process.kill(killed, "SIGKILL");
      }
    });
    const { digest, result } = await run.finished;
    assert.ok(killed > 0 && requeued >= 1);
    assert.equal(digest, undisturbed.digest);
    assert.deepEqual(result, undisturbed.result);
  });

  it("F-23: under a segment, the segment is run again and the plan is the same; three of them refill its walker", {
    timeout: 300_000,
  }, async () => {
    const planned = async (pool: PoolFactory, { phase, times, key = "" }: Dying) => {
      const shape = { walkers: 4, rounds: 5 };
      const { inputs: _, ...prepared } = preparePopulation(day, defaultWeights, few, shape);
      const deaths = join(folder, `deaths-${files++}`);
      const context: Mortality = { weights: defaultWeights, phase, key, times, deaths };
      const done = await (await start({ ...prepared, evaluator, context, seed: 4, pool })).finished;
      return { ...done, died: deathsAt(deaths) };
    };
    const calm = await planned(inline(), { phase: "end", times: 0 });
    const cases: readonly (readonly [PoolFactory, Dying])[] = [
      [pools.threads(), { phase: "tree", times: 1, key: "round/0/walker/1" }],
      [pools.threads(), { phase: "end", times: 2, key: "round/2/walker/3" }],
      [pools.processes(), { phase: "begin", times: 1, key: "round/4/walker/0" }],
    ];
    for (const [pool, dying] of cases) {
      const { died, digest, result } = await planned(pool, dying);
      assert.equal(died, dying.times, "workers really died");
      assert.equal(digest, calm.digest);
      assert.deepEqual(result, calm.result);
    }
    const lost = await planned(pools.threads(), { phase: "end", times: 3, key: "round/1/walker/2" });
    const { rounds, best } = lost.result;
    assert.ok(best !== undefined);
    assert.deepEqual(
      rounds.flatMap(({ walkers }, round) =>
        walkers.flatMap(({ failure }, w) => (failure === undefined ? [] : [[round, w]])),
      ),
      [[1, 2]],
    );
    assert.notEqual(rounds[2].walkers[2].from, 2);
    assert.match(lost.reproducible.from === "journal" ? lost.reproducible.reason : "", /^WorkerLost/);
  });

  it("F-23: under a commit, the commit is evaluated again and the plan is the same", { timeout: 300_000 }, async () => {
    const rules: CommitRules = { mode: "stepwise", window: 4, hotspotsAtOnce: 1, commitsPerRound: 10 };
    const planned = async (pool: PoolFactory, times: number, key: string) => {
      const plain = { ...few, policy: "plain", episode: { maxRegulations: 2 } } as const;
      const { inputs: _, ...prepared } = prepareCommits(day, defaultWeights, plain, rules, 1);
      const deaths = join(folder, `deaths-${files++}`);
      const context: Mortality = { weights: defaultWeights, phase: "begin", key, times, deaths };
      const run = await start({ ...prepared, evaluator, context, seed: 4, pool });
      const keys: string[] = [];
      run.subscribe((event) => {
        if (event.type === "queued") keys.push(event.key);
      });
      return { ...(await run.finished), keys };
    };
    const calm = await planned(inline(), 0, "");
    for (const pool of Object.values(pools)) {
      const { digest } = await planned(pool(), 2, calm.keys[3]);
      assert.equal(digest, calm.digest);
    }
  });
});
