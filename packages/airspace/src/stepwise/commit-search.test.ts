import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { inline, type PoolFactory, processes, RunNotDone, start, threads } from "@coppice/engine";
import { inTurn } from "@coppice/engine/soak";
import { cutDownDay } from "../../test/cut-down-day.ts";
import { defaultEpisodeOptions } from "../episode/episode-options.ts";
import { usDay } from "../instance/us-day.ts";
import { planKey } from "../network/regulation.ts";
import { scoreFromScratch } from "../network/score-from-scratch.ts";
import { defaultWeights } from "../network/weights.ts";
import { checkPlan } from "../plan/check-plan.ts";
import { prepareCommits } from "../planner/planning-run.ts";
import { CommitSearch } from "./commit-search.ts";
import type { CommitOptions, CommitRules, CommitTask } from "./commit-task.ts";
import { ExactRates } from "./exact-rates.ts";

const day = cutDownDay();
const weights = defaultWeights;
const planner = { policy: "plain", seed: 7, evaluations: 3000, without: [], episode: { maxRegulations: 5 } } as const;
const rules: CommitRules = { mode: "stepwise", window: 1, hotspotsAtOnce: 1, commitsPerRound: 12 };
const empty = scoreFromScratch(day, [], weights).score.objective;

async function plan(given: Partial<CommitRules>, pool: PoolFactory, over: Partial<typeof planner> = {}) {
  const { inputs: _, ...prepared } = prepareCommits(day, weights, { ...planner, ...over }, { ...rules, ...given }, 2);
  return (await start({ ...prepared, seed: 7, pool })).finished;
}

/** Runs a search by hand: every task it asked, in order; `fails` says which keys fail. */
async function byHand(options: Partial<CommitOptions> = {}, fails: (task: CommitTask) => boolean = () => false) {
  const { seed, evaluations } = planner;
  const episode = { ...defaultEpisodeOptions, maxRegulations: 5 };
  const usual: CommitOptions = { ...rules, seed, evaluations, roots: 2, episode, outer: { runs: 1 } };
  const search = new CommitSearch(day, weights, { ...usual, ...options });
  const rates = new ExactRates(day, weights);
  const asked: { readonly task: CommitTask; readonly key: string }[] = [];
  let most = 0;
  let spent = 0;
  for (let told = 0; ; ) {
    const proposal = search.ask();
    if (proposal.kind === "candidate") {
      asked.push({ task: proposal.candidate, key: proposal.key });
      most = Math.max(most, asked.length - told);
      continue;
    }
    if (proposal.kind === "done") return { result: search.result(), asked, most, spent };
    const { task } = asked[told];
    const outcome = fails(task)
      ? ({ ok: false, failure: { type: "Error", message: "no" } } as const)
      : ({ ok: true, value: await rates.commit(task.before, task.measures) } as const);
    if (outcome.ok) spent += outcome.value.evaluations;
    search.tell(outcome, told++);
  }
}

describe("planning one regulation after the other", () => {
  let toItsEnd: Awaited<ReturnType<typeof byHand>>;
  before(async () => {
    const episode = { ...defaultEpisodeOptions, maxRegulations: 40 };
    toItsEnd = await byHand({ episode, evaluations: 100_000 });
  });

  it("F-17: applies one commit per search, each on the traffic that the plan so far leaves, until none helps", () => {
    const { result, asked } = toItsEnd;
    const { best } = result;
    assert.ok(best !== undefined && best.plan.length > 0);
    const stages = [...new Map(asked.map(({ task }) => [planKey(task.before), task.before])).values()];
    assert.ok(stages.length >= 2, "later searches start from a plan");
    let last = Number.POSITIVE_INFINITY;
    for (const stage of stages) {
      const { objective } = scoreFromScratch(day, stage, weights).score;
      assert.ok(objective < last, "every commit helped");
      assert.deepEqual(best.plan.slice(0, stage.length), stage);
      last = objective;
    }
    assert.ok(best.score.objective < empty);
    const gains = best.episodes?.commitGains ?? [];
    assert.equal(gains.length, stages.length - 1, "one gain per commit");
    assert.ok(Math.abs(empty - gains.reduce((sum, gain) => sum + gain, 0) - best.score.objective) < 1e-6);
    assert.deepEqual(best.score, scoreFromScratch(day, best.plan, weights).score);
    assert.equal(best.stopReason, "no_improvement");
    for (const { violations } of checkPlan(day, best.plan, result.evaluations)) assert.deepEqual(violations, []);
  });

  it("F-17: looks for hotspots in the traffic as the plan so far delays it, not as it was", () => {
    for (const { task } of toItsEnd.asked) {
      const now = scoreFromScratch(day, task.before, weights).hourCount;
      const [{ volume, fromBin, toBin }] = task.measures;
      const cells = Array.from({ length: toBin - fromBin }, (_, bin) => volume * day.binCount + fromBin + bin);
      const hot = cells.some((cell) => now[cell] > day.capacity[cell]);
      assert.ok(hot, `volume ${volume} is not above capacity in bins ${fromBin}-${toBin}`);
    }
  });

  it("F-17: speculative: searches several hotspots at the same time and applies one of their regulations", async () => {
    const { asked, result } = await byHand({ hotspotsAtOnce: 3 });
    const first = asked.filter(({ task }) => task.before.length === 0);
    const places = new Set(first.map(({ task: { measures } }) => `${measures[0].volume} ${measures[0].fromBin}`));
    assert.ok(places.size > 1, `${places.size} hotspots`);
    const seen = new Set(
      first.slice(0, 4).map(({ task: { measures } }) => `${measures[0].volume} ${measures[0].fromBin}`),
    );
    assert.ok(seen.size > 1, "in turn, not one after the other");
    assert.ok((result.best?.score.objective ?? empty) < empty);
  });

  it("counts what a root's commits computed, not how many commits there were", async () => {
    const lone = await byHand({ roots: 1 });
    assert.equal(new Set(lone.asked.map(({ key }) => key)).size, lone.asked.length, "every commit is new");
    const [{ evaluations, uniqueEvaluations = 0 }] = lone.result.roots;
    assert.deepEqual([evaluations, uniqueEvaluations], [lone.spent, lone.asked.length]);
    assert.ok(evaluations > uniqueEvaluations, `${evaluations} evaluations of ${uniqueEvaluations} commits`);
    const two = await byHand({ roots: 2 });
    const ofRoots = two.result.roots.reduce((sum, root) => sum + root.evaluations, 0);
    assert.ok(ofRoots > 0 && ofRoots < two.result.evaluations, `${ofRoots} of ${two.result.evaluations}`);
    for (const root of two.result.roots) assert.ok(root.evaluations >= (root.uniqueEvaluations ?? 0));
  });

  it("F-13: commits are out several at a time only where that is asked for", async () => {
    assert.equal((await byHand({ roots: 1 })).most, 1);
    const { most, result } = await byHand({ roots: 1, window: 8, commitsPerRound: 30 });
    assert.ok(most > 1 && most <= 8, `${most} out`);
    assert.ok((result.best?.score.objective ?? empty) < empty);
  });

  it("F-14, F-15: asks for a commit once per tree, and for no more than allowed with those that are out", async () => {
    const { asked } = await byHand({ roots: 1, window: 8, commitsPerRound: 9 });
    assert.equal(new Set(asked.map(({ key }) => key)).size, asked.length);
    const perRound = new Map<string, number>();
    for (const { task } of asked) perRound.set(planKey(task.before), (perRound.get(planKey(task.before)) ?? 0) + 1);
    for (const count of perRound.values()) assert.ok(count <= 9);
  });

  it("F-16: a commit whose evaluation failed is never applied; without any there is no plan", async () => {
    const { result } = await byHand({}, ({ measures }) => measures[0].volume % 2 === 0);
    const { plan: applied } = result.best ?? { plan: [] };
    assert.ok(applied.length > 0, "the best of those that did not fail is applied");
    for (const line of applied) assert.equal(line.volume % 2, 1);
    const none = await byHand({}, () => true);
    assert.equal(none.result.best, undefined);
    assert.equal(none.result.roots[0].failure, "no");
  });

  it("never computes more objectives than allowed, and says when they were used up", async () => {
    for (const evaluations of [200, 500, 900]) {
      const { result } = await byHand({ evaluations, window: 8 });
      assert.ok(result.evaluations <= evaluations, `${result.evaluations} of ${evaluations}`);
      assert.equal(result.best?.stopReason, "evaluations_exhausted");
    }
  });

  it("ends at the limit of regulations", async () => {
    const { result } = await byHand({ episode: { ...defaultEpisodeOptions, maxRegulations: 1 } });
    assert.deepEqual([result.best?.stopReason, result.best?.episodes?.planLength], ["regulation_limit_reached", 1]);
  });

  it("outer runs repeat it with other seeds and the best is taken", async () => {
    const once = await byHand();
    const thrice = await byHand({ outer: { runs: 3 } });
    assert.ok(thrice.asked.length > once.asked.length);
    assert.deepEqual(
      thrice.asked.slice(0, once.asked.length).map(({ key }) => key),
      once.asked.map(({ key }) => key),
    );
    assert.ok((thrice.result.best?.score.objective ?? empty) <= (once.result.best?.score.objective ?? 0));
  });

  it("a further outer run does not begin once its time is over, and the run then says so", async () => {
    const search = new CommitSearch(day, weights, {
      ...rules,
      seed: 7,
      evaluations: 6000,
      roots: 1,
      episode: { ...defaultEpisodeOptions, maxRegulations: 1 },
      outer: { runs: Number.POSITIVE_INFINITY, timeMs: 1000 },
    });
    const rates = new ExactRates(day, weights);
    for (let told = 0; ; told++) {
      const proposal = search.ask();
      if (proposal.kind === "done") break;
      assert.ok(proposal.kind === "candidate");
      const { before, measures, unlessAfterMs } = proposal.candidate;
      const value = unlessAfterMs === undefined ? await rates.commit(before, measures) : ({ skipped: true } as const);
      if ("skipped" in value) assert.match(search.metClock(value) ?? "", /outer runs/);
      search.tell({ ok: true, value }, told);
    }
    assert.equal(search.result().best?.stopReason, "regulation_limit_reached");
  });
});

describe("commits on workers", () => {
  const ways: Readonly<Record<string, Partial<CommitRules>>> = {
    stepwise: {},
    asynchronous: { window: 8 },
    speculative: { hotspotsAtOnce: 2, window: 2 },
    "whole plans": { mode: "episode", window: 8 },
  };
  const pools = {
    "1 thread": threads({ workers: 1 }),
    "2 processes": processes({ workers: 2 }),
    "4 threads": threads({ workers: 4 }),
    "2 threads": threads({ workers: 2 }),
  };
  for (const [turn, [name, given]] of Object.entries(ways).entries()) {
    const crews = inTurn(Object.entries(pools), turn);
    it(`F-08, F-26: ${name}: one plan and one digest here and on ${crews.map(([crew]) => crew).join(", ")}`, {
      timeout: 300_000,
    }, async () => {
      const over = given.mode === "episode" ? { evaluations: 4500 } : {};
      const reference = await plan(given, inline(), over as Partial<typeof planner>);
      assert.ok((reference.result.best?.score.objective ?? empty) < empty);
      for (const [, pool] of crews) {
        const { digest, result } = await plan(given, pool, over as Partial<typeof planner>);
        assert.equal(digest, reference.digest);
        assert.deepEqual(result, reference.result);
      }
    });
  }

  it("interrupted and resumed, end as if they had not been", { timeout: 300_000 }, async () => {
    const directory = mkdtempSync(join(tmpdir(), "coppice-commits-"));
    const prepared = () => prepareCommits(day, weights, planner, { ...rules, window: 4 }, 2);
    const { inputs, ...rest } = prepared();
    const journal = { directory: join(directory, "run"), inputs };
    const undisturbed = await plan({ window: 4 }, inline());
    const first = await start({ ...rest, seed: 7, pool: threads({ workers: 2 }), journal });
    first.subscribe((event) => {
      if (event.type === "told" && event.told >= 15) first.interrupt();
    });
    await assert.rejects(first.finished, RunNotDone);
    const again = {
      ...rest,
      search: prepared().search,
      seed: 7,
      pool: inline(),
      journal: { ...journal, resume: true },
    };
    assert.equal((await (await start(again)).finished).digest, undisturbed.digest);
    rmSync(directory, { recursive: true, force: true });
  });

  it("F-50: on the real day a few hundred commits give a plan that costs less than none", {
    timeout: 300_000,
  }, async () => {
    const { inputs: _, ...prepared } = prepareCommits(
      usDay(),
      defaultWeights,
      { ...planner, evaluations: 4000 },
      rules,
      1,
    );
    const { result } = await (await start({ ...prepared, seed: 7, pool: inline() })).finished;
    assert.ok((result.best?.score.objective ?? 2082) < 0.97 * 2082, `${result.best?.score.objective}`);
  });
});
