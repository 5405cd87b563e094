import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { encodeInstance } from "@coppice/airspace";
import { cutDownDay } from "@coppice/airspace/cut-down-day";
import { assertRefused, coppice, document, temporaryDirectory } from "../../test/coppice.ts";

const small = ["flow", "plan", "--instance", "day.bin", "--evaluations", "400", "--json"];

/** A place with a small day in it. */
function withDay(t: TestContext): string {
  const directory = temporaryDirectory(t);
  writeFileSync(join(directory, "day.bin"), encodeInstance(cutDownDay()));
  return directory;
}

/** Workers and pool of the last run, as its log says. */
function crewOf(directory: string): readonly [number, string] {
  const runs = join(directory, ".coppice", "runs");
  const last = readdirSync(runs).sort((a, b) => Number(b) - Number(a))[0];
  const [first] = readFileSync(join(runs, last, "logs", "run.log"), "utf8").split("\n");
  const { workers, pool } = JSON.parse(first);
  return [workers, pool];
}

async function planned(t: TestContext, args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const directory = withDay(t);
  const ended = await coppice(directory, [...small, "--walkers", "2", ...args], environment);
  return { document: document(ended), stderr: ended.stderr, crew: crewOf(directory) };
}

describe("options of coppice flow plan", () => {
  it("F-21: typed options beat the environment, and the planner's own names the common ones", {
    timeout: 300_000,
  }, async (t) => {
    const usual = Math.min(availableParallelism(), 2);
    const process = { COPPICE_PARALLEL_BACKEND: "process" };
    assert.deepEqual((await planned(t, [])).crew, [usual, "threads"]);
    assert.deepEqual((await planned(t, [], { ...process, COPPICE_WORKERS: "2" })).crew, [2, "processes"]);
    assert.deepEqual(
      (await planned(t, ["--parallel-backend", "thread"], { ...process, COPPICE_NUM_WORKERS_ROOT: "1" })).crew,
      [1, "threads"],
    );
    assert.deepEqual((await planned(t, ["--workers", "2"], { COPPICE_NUM_WORKERS_ROOT: "1" })).crew, [2, "threads"]);
    assert.deepEqual(
      (await planned(t, ["--num-workers-root", "1"], { COPPICE_WORKERS: "2", COPPICE_POOL: "processes" })).crew,
      [1, "processes"],
    );
  });

  it("F-21: modes, tasks in flight and intervals come from the environment too, and never change a plan of sims", {
    timeout: 300_000,
  }, async (t) => {
    const longer = ["--seed", "3", "--evaluations", "8000"];
    const { document: plain } = await planned(t, longer);
    const { document: other, stderr } = await planned(t, [...longer, "--quiet"], {
      COPPICE_MAX_TASKS_IN_FLIGHT: "1",
      COPPICE_PROGRESS_INTERVAL: "20ms",
      COPPICE_PARALLEL_MODE: "sims",
      COPPICE_NUM_WORKERS_ROOT: "1",
    });
    assert.equal(other.digest, plain.digest);
    assert.ok(stderr.split("\n").filter((line) => line.includes("evaluations")).length >= 2, stderr);
  });

  it("F-09, D4: a limit in time ends roots with what they have, and the run says what it is reproducible from", {
    timeout: 300_000,
  }, async (t) => {
    const directory = withDay(t);
    const timed = [
      "flow",
      "plan",
      "--instance",
      "day.bin",
      "--parallel-mode",
      "time",
      "--search-time",
      "300ms",
      "--json",
    ];
    const full = document(await coppice(directory, timed));
    const { roots } = full.result as { roots: { stopReason: string; objective: number }[] };
    assert.deepEqual(
      roots.map(({ stopReason }) => stopReason),
      ["time_budget_exhausted", "time_budget_exhausted"],
    );
    for (const { objective } of roots) assert.ok(objective < 749, `${objective} of 749 without a plan`);
    assert.deepEqual((full.reproducible as { from: string }).from, "journal");
    const verified = await coppice(directory, ["verify", "1", "--json"]);
    assert.equal(verified.code, 0, verified.stderr);
    const shared = document(await coppice(directory, [...timed, "--time-split", "share"]));
    assert.deepEqual(
      (shared.result as { roots: { stopReason: string }[] }).roots.map(({ stopReason }) => stopReason),
      ["time_budget_exhausted", "time_budget_exhausted"],
    );
    const timeOfRoot = ({ id }: { id?: unknown }): number =>
      JSON.parse(readFileSync(join(directory, ".coppice", "runs", String(id), "run.json"), "utf8")).options.planner
        .timeMs;
    assert.deepEqual([timeOfRoot(full), timeOfRoot(shared)], [300, 150]);
  });

  it("settings of episodes are kept in run.json under their names, and shape the plan", {
    timeout: 300_000,
  }, async (t) => {
    const directory = withDay(t);
    const plan = [
      ..."flow plan --instance day.bin --evaluations 120 --policy plain --roots 1 --pool inline --json".split(" "),
    ];
    const settings = {
      "--exploration 2": { exploration: 2 },
      "--widening 1,1,0.5": { widening: { base: 1, factor: 1, exponent: 0.5 } },
      "--root-noise 0.9,0.1": { rootNoise: { share: 0.9, concentration: 0.1 } },
      "--reversal-ban 2": { reversalBan: 2 },
      "--hotspots 3": { hotspots: 3 },
      "--stop anywhere": { stop: "anywhere" },
      "--phi 0.1": { phi: 0.1 },
      "--priors sampled": { priors: "sampled" },
    };
    const digests = new Set([document(await coppice(directory, plan)).digest]);
    for (const [typed, recorded] of Object.entries(settings)) {
      const { digest, id } = document(await coppice(directory, [...plan, ...typed.split(" ")]));
      const run = readFileSync(join(directory, ".coppice", "runs", String(id), "run.json"), "utf8");
      const { planner } = JSON.parse(run).options;
      assert.deepEqual(planner.episode, recorded, typed);
      digests.add(digest);
    }
    assert.equal(digests.size, 1 + Object.keys(settings).length, "each makes a difference");
  });

  it("outer runs plan again with different seeds: a number of times, or until their time is over", {
    timeout: 300_000,
  }, async (t) => {
    const directory = withDay(t);
    const runs = (args: readonly string[]) => coppice(directory, [...small, "--roots", "2", ...args]);
    const three = document(await runs(["--outer-max-runs", "3", "--seed", "5"]));
    const { roots, best } = three.result as {
      roots: { seed: number; objective: number }[];
      best: { score: { objective: number } };
    };
    assert.deepEqual(
      roots.map(({ seed }) => seed),
      [5, 10_005, 6, 10_006, 7, 10_007],
    );
    assert.equal(best.score.objective, Math.min(...roots.map(({ objective }) => objective)));
    const once = document(await runs(["--seed", "5"])).result as { roots: { objective: number }[] };
    assert.deepEqual(
      once.roots.map(({ objective }) => objective),
      roots.slice(0, 2).map(({ objective }) => objective),
    );
    const timed = document(await runs(["--outer-max-time", "300ms"]));
    assert.equal((timed.reproducible as { from: string }).from, "journal");
    const begun = (timed.result as { roots: unknown[] }).roots.length;
    assert.ok(begun >= 2 && begun % 2 === 0, `${begun} roots: outer runs are whole`);
    const verified = await coppice(directory, ["verify", String(timed.id), "--all"]);
    assert.equal(verified.code, 0, verified.stdout);
  });

  it("refuses limits that contradict each other, and options that mean nothing together", {
    timeout: 300_000,
  }, async (t) => {
    const directory = temporaryDirectory(t);
    const wrong: readonly (readonly [string, RegExp])[] = [
      ["--parallel-mode time", /needs --search-time/],
      ["--search-time 5s", /needs --parallel-mode time/],
      ["--time-split share", /needs --parallel-mode time/],
      ["--parallel-mode time --search-time 9s --max-time 5s", /would end without a plan/],
      ["--outer-max-runs 0", /needs --outer-max-time or --max-time/],
      ["--outer-max-runs 1 --outer-max-time 5s", /there is only one run/],
      ["--num-workers-root 1 --workers 2", /contradict each other/],
      ["--parallel-backend thread --pool processes", /contradict each other/],
      ["--rates exact", /needs --policy plain or --mode stepwise/],
      ["--mode stepwise --policy greedy", /--mode stepwise --policy greedy/],
      ["--speculate 3", /needs --mode stepwise/],
      ["--async-commits", /needs exact rates/],
      ["--num-workers-rf 2", /needs exact rates/],
      ["--mode stepwise --without tree", /its parts are those of --policy default/],
      ["--mode stepwise --commit-evaluations 1", /need at least one each/],
      ["--mode stepwise --parallel-mode time --search-time 5s", /not with exact rates/],
      ["--max-regulations 3", /applies to episodes/],
      ["--walkers 4 --roots 2", /--walkers: not with --roots/],
      ["--rounds 4 --policy annealing", /--rounds: not with --policy annealing/],
      ["--walkers 4 --parallel-mode time --search-time 5s", /--walkers: not with --parallel-mode time/],
      ["--walkers 0", /'0' is invalid/],
      ["--evaluations 99 --walkers 100", /100 walkers in 1 round must have at least two per segment, 200 in all/],
      ["--evaluations 99 --rounds 50", /1 walker in 50 rounds must have at least two per segment, 100 in all/],
      [
        "--evaluations 99 --walkers 5 --rounds 10",
        /5 walkers in 10 rounds must have at least two per segment, 100 in all/,
      ],
      ["--without tree,annealing", /nothing is left to search with/],
      ["--policy annealing --without tree", /that policy has only along, splitting/],
      ["--policy greedy --without along", /that policy has no such parts/],
      ["--out nowhere/plan.json", /there is no directory .*nowhere/],
      ["--report .", /--report \.: is a directory/],
      ["--policy plain --flow-temperature 0", /It must be a number above 0/],
      ["--exploration 1", /--exploration: applies to episodes/],
      ["--priors sampled", /--priors: applies to episodes/],
      ["--policy plain --exploration -1", /It must be a number of at least 0/],
      ["--policy plain --widening 4,1", /It must be 3 numbers separated by commas/],
      ["--policy plain --widening 4,1,x", /It must be a number of at least 0/],
      ["--policy plain --root-noise 2,0.3", /root noise: a share of 2; it must be 0 to 1/],
      ["--policy plain --root-noise 0.3,0", /root noise: concentration must be above 0/],
      ["--policy plain --phi 0.2", /phi: 0.2; it must be 0 to 0.1/],
      ["--policy plain --priors sampled --phi 0.1", /--phi: is about regulations built flow by flow/],
      ["--policy plain --hotspots 0", /It must be a whole number/],
      ["--policy plain --stop sometimes", /Allowed choices are anywhere, committed, never/],
      ["--policy plain --rates exact --priors sampled", /--priors sampled: draws rates itself/],
      ["--policy plain --rates exact --async-commits 0", /It must be a whole number/],
    ];
    for (const [typed, line] of wrong) {
      assertRefused(await coppice(directory, ["flow", "plan", ...typed.split(" ")]), line);
    }
    assertRefused(await coppice(directory, ["flow", "plan", "--mode", "stepwise", "--evaluations", "20"]), /may take/);
    assert.throws(() => readdirSync(join(directory, ".coppice")), "nothing was touched");
  });
});
