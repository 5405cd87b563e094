import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { inline, RunNotDone, start, threads } from "@coppice/engine";
import fc from "fast-check";
import { cutDownDay } from "../../test/cut-down-day.ts";
import { plannedEverywhere } from "../../test/planned-everywhere.ts";
import { randomInstance } from "../../test/random-instance.ts";
import { defaultWeights } from "../network/weights.ts";
import { makePlan, type Planning } from "./make-plan.ts";
import type { PlannerOptions } from "./planner-options.ts";
import { prepareRoots } from "./planning-run.ts";
import { planRoot } from "./root-evaluator.ts";
import { RootSearch, rootTask } from "./root-search.ts";

const day = randomInstance(5);
const weights = { ...defaultWeights, regulation: 0.1, delayMinute: 0.001 };
const options: PlannerOptions = { policy: "default", seed: 11, evaluations: 901, without: [] };
const prepared = () => prepareRoots(day, weights, options, 3);

describe("several roots", () => {
  it("F-08: give one plan and one digest on any pool, with any number of workers", { timeout: 300_000 }, async () => {
    const { evaluations } = await plannedEverywhere(() => ({ ...prepared(), seed: options.seed }));
    assert.equal(evaluations, 901);
  });

  it("interrupted and resumed, end as if they had not been", { timeout: 300_000 }, async () => {
    const directory = mkdtempSync(join(tmpdir(), "coppice-roots-"));
    const { inputs, ...search } = prepared();
    const searched = () => ({ ...search, search: prepared().search });
    const undisturbed = await (await start({ ...searched(), pool: inline() })).finished;
    const journal = { directory: join(directory, "run"), inputs };
    const first = await start({ ...search, pool: inline(), journal });
    first.subscribe((event) => {
      if (event.type === "told" && event.told >= 1) first.interrupt();
    });
    await assert.rejects(first.finished, RunNotDone);
    const again = await start({ ...searched(), pool: threads({ workers: 2 }), journal: { ...journal, resume: true } });
    assert.equal((await again.finished).digest, undisturbed.digest);
    rmSync(directory, { recursive: true, force: true });
  });

  it("F-09: share the evaluations, none lost", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 40, max: 5000 }), (roots, evaluations) => {
        const tasks = Array.from({ length: roots }, (_, root) =>
          rootTask({ ...options, evaluations }, roots, { runs: 1 }, root),
        );
        assert.equal(
          tasks.reduce((sum, task) => sum + task.evaluations, 0),
          evaluations,
        );
        assert.deepEqual(
          tasks.map(({ seed }) => seed),
          Array.from({ length: roots }, (_, w) => options.seed + 10_000 * w),
        );
      }),
    );
  });

  it("F-10: the lowest objective wins, of equal ones the lowest root; actions are added up", () => {
    const search = new RootSearch(options, 3);
    const planning = (objective: number): Planning => {
      const empty = makePlan(day, weights, { ...options, policy: "empty" });
      return { ...empty, score: { ...empty.score, objective } };
    };
    for (const objective of [7, 5, 5]) search.tell({ ok: true, value: planning(objective) });
    assert.deepEqual([search.result().bestRoot, search.result().best?.score.objective], [1, 5]);
    const counting = new RootSearch(options, 2);
    const counts = [
      { rate: 3, add: 1 },
      { rate: 4, move: 2 },
    ];
    for (const actionCounts of counts) counting.tell({ ok: true, value: { ...planning(1), actionCounts } });
    assert.deepEqual(counting.result().actionCounts, { rate: 7, add: 1, move: 2 });
  });

  it("F-26: two roots with the evaluations of one take hardly less off than it does", { timeout: 300_000 }, () => {
    const small = cutDownDay();
    const objective = (seed: number, roots: number) => {
      const shared = { ...options, seed, evaluations: 8000 };
      const tasks = Array.from({ length: roots }, (_, root) => rootTask(shared, roots, { runs: 1 }, root));
      return Math.min(...tasks.map((task) => makePlan(small, defaultWeights, task).score.objective));
    };
    const empty = makePlan(small, defaultWeights, { ...options, policy: "empty" }).score.objective;
    const seeds = [1, 2, 3, 4];
    const [one, two] = [1, 2].map((roots) => seeds.reduce((sum, seed) => sum + empty - objective(seed, roots), 0));
    assert.ok(two >= 0.9 * one, `${two / 4} taken off the ${empty} of no plan, against ${one / 4}`);
  });

  it("outer runs are whole: only the first root of a further one can be too late, and then the run does not count", () => {
    const planning = makePlan(day, weights, options);
    const search = new RootSearch(options, 3, { runs: Number.POSITIVE_INFINITY, timeMs: 1000 });
    const asked = Array.from({ length: 7 }, () => search.ask());
    const limits = asked.map((proposal) =>
      proposal.kind === "candidate" ? proposal.candidate.outer?.unlessAfterMs : "not asked",
    );
    assert.deepEqual(limits, [undefined, undefined, undefined, 1000, undefined, undefined, 1000]);
    for (let root = 0; root < 3; root++) search.tell({ ok: true, value: planning });
    const begun = { ...planning, begunInTime: true as const };
    assert.match(search.metClock(begun) ?? "", /only while there was time/);
    search.tell({ ok: true, value: begun });
    for (let root = 1; root < 3; root++) search.tell({ ok: true, value: planning });
    search.tell({ ok: true, value: { skipped: true } });
    assert.equal(search.ask().kind, "done");
    assert.equal(search.result().roots.length, 6);
  });

  it("a root that has begun looks at no clock; the first of a further run says that it did not begin", () => {
    const task = { report: () => {}, log: () => {}, key: "root/4" };
    const outer = { runs: 2, timeMs: 1000 };
    const late = (index: number) => planRoot(day, weights, rootTask(options, 3, outer, index), task, () => 5000);
    assert.deepEqual(late(3), { skipped: true });
    assert.ok("plan" in late(2) && "plan" in late(4) && "plan" in late(5));
  });

  it("F-12: one root is the same as planning without any", () => {
    const alone = makePlan(day, weights, options);
    assert.deepEqual(rootTask(options, 1, { runs: 1 }, 0), options);
    const search = new RootSearch(options, 1);
    search.tell({ ok: true, value: alone });
    assert.deepEqual(search.result().best, alone);
  });

  it("F-23: a root that is lost is dropped and the others go on; without any there is no plan", () => {
    const lost = { ok: false, failure: { type: "WorkerLost", message: "gone" } } as const;
    const search = new RootSearch(options, 2);
    search.tell(lost);
    search.tell({ ok: true, value: makePlan(day, weights, { ...options, policy: "greedy" }) });
    assert.deepEqual([search.result().bestRoot, search.result().roots[0].failure], [1, "gone"]);
    const none = new RootSearch(options, 1);
    none.tell(lost);
    assert.equal(none.result().best, undefined);
  });
});
