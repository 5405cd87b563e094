import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { inline, type Outcome, RunNotDone, start, threads } from "@coppice/engine";
import { soak } from "@coppice/engine/soak";
import { cutDownDay } from "../../../test/cut-down-day.ts";
import { plannedEverywhere } from "../../../test/planned-everywhere.ts";
import { scoreFromScratch } from "../../network/score-from-scratch.ts";
import { defaultWeights } from "../../network/weights.ts";
import { makePlan } from "../make-plan.ts";
import type { PlannerOptions } from "../planner-options.ts";
import { preparePopulation } from "../planning-run.ts";
import { type PopulationResult, PopulationSearch } from "./population-search.ts";
import { handsOn, memoryLimits, populationShape } from "./population-shape.ts";
import { SegmentRunner } from "./run-segment.ts";
import type { Segment, SegmentValue } from "./segment.ts";

const day = cutDownDay();
const weights = defaultWeights;
const options: PlannerOptions = { policy: "default", seed: 11, evaluations: 901, without: [] };
const shape = { walkers: 5, rounds: 4 };
const prepared = (given = options) => preparePopulation(day, weights, given, shape);
const lost: Outcome<never> = { ok: false, failure: { type: "WorkerLost", message: "gone" } };

/** Walks a population here, losing the segments that are said to be. */
function walk(isLost: (segment: Segment) => boolean = () => false, given = options): PopulationResult {
  const search = new PopulationSearch(given, shape);
  const runner = new SegmentRunner(day, weights);
  for (let proposal = search.ask(); proposal.kind === "candidate"; proposal = search.ask()) {
    const { candidate } = proposal;
    search.tell(isLost(candidate) ? lost : { ok: true, value: runner.run(candidate) });
  }
  assert.equal(search.ask().kind, "done");
  return search.result();
}

describe("a population", () => {
  it("F-08: finds one plan with one digest on any pool, with any number of workers", { timeout: 300_000 }, async () => {
    const result = await plannedEverywhere(() => ({ ...prepared(), seed: options.seed }));
    assert.deepEqual(result, walk(), "as if one after the other");
    assert.equal(result.evaluations, 901);
  });

  it("interrupted after any tell and resumed, ends as if it had not been, and repeats only what was out", {
    timeout: 300_000,
  }, async () => {
    const directory = mkdtempSync(join(tmpdir(), "coppice-population-"));
    const { inputs, ...rest } = prepared();
    const searched = () => ({ ...rest, search: prepared().search });
    const undisturbed = await (await start({ ...searched(), pool: inline() })).finished;
    const every = soak(9, 1);
    for (let moment = 4; moment < 20; moment += every) {
      const journal = { directory: join(directory, `run-${moment}`), inputs };
      const first = await start({ ...searched(), pool: threads({ workers: 2 }), journal });
      first.subscribe((event) => {
        if (event.type === "told" && event.told >= moment) first.interrupt();
      });
      await assert.rejects(first.finished, RunNotDone);
      const again = await start({ ...searched(), pool: inline(), journal: { ...journal, resume: true } });
      let reused = 0;
      again.subscribe((event) => {
        if (event.type === "resumed") reused = event.plan.reused;
      });
      assert.equal((await again.finished).digest, undisturbed.digest);
      assert.ok(reused >= moment, `${reused} of ${moment} told`);
    }
    rmSync(directory, { recursive: true, force: true });
  });

  it("takes the best plan that any walker ever passed, and says where it comes from", () => {
    const { best, bestAt, rounds, walkers } = walk();
    assert.ok(best !== undefined && bestAt !== undefined);
    assert.deepEqual(best.score, scoreFromScratch(day, best.plan, weights).score);
    assert.equal(best.score.objective, rounds.at(-1)?.best);
    assert.deepEqual([rounds.length, walkers, best.stopReason], [4, 5, "evaluations_exhausted"]);
    assert.equal(
      rounds.findIndex((round) => round.best === best.score.objective),
      bestAt.round,
    );
    assert.ok(best.tree !== undefined && best.treeNodes > 0);
    const empty = makePlan(day, weights, { ...options, policy: "empty" }).score.objective;
    assert.ok(best.score.objective < empty, `${best.score.objective} of ${empty}`);
    for (const round of rounds.slice(1)) {
      assert.ok(new Set(round.walkers.map(({ from }) => from)).size <= 3, "the better half hand their plans on");
    }
  });

  it("refills walkers whose segment is lost for good; without any left it ends with what it has", () => {
    const { rounds, best } = walk(({ round, walker }) => round === 1 && walker !== 2);
    assert.deepEqual(
      rounds[1].walkers.map(({ failure }) => failure),
      ["gone", "gone", undefined, "gone", "gone"],
    );
    assert.deepEqual(
      rounds[2].walkers.map(({ from }) => from),
      [2, 2, 2, 2, 2],
    );
    assert.deepEqual([rounds.length, best !== undefined], [4, true]);
    const stopped = walk(({ round }) => round === 2);
    assert.equal(stopped.rounds.length, 3);
    assert.equal(stopped.best?.score.objective, stopped.rounds[1].best);
    assert.equal(walk(() => true).best, undefined);
  });

  it("can do without each of its parts, which then makes a difference", () => {
    const whole = walk().best?.plan;
    for (const part of ["tree", "tuning", "memory", "along", "splitting"] as const) {
      const less = walk(undefined, { ...options, without: [part] });
      assert.notDeepEqual(less.best?.plan, whole, part);
      assert.equal(less.treeNodes === 0, part === "tree");
    }
  });

  it("has walkers by the evaluations and rounds by those of a walker, never by the machine", () => {
    const usual = [50, 600, 2000, 20_000, 160_000, 200_000, 1e9].map((evaluations) => {
      const { walkers, rounds } = populationShape(evaluations);
      return [walkers, rounds];
    });
    assert.deepEqual(usual, [
      [1, 1],
      [1, 6],
      [1, 20],
      [2, 21],
      [16, 21],
      [20, 21],
      [256, 40],
    ]);
    assert.deepEqual(
      [4, 64].map((walkers) => populationShape(160_000, { walkers }).rounds),
      [40, 21],
    );
    const limits = (walkers: number) => memoryLimits({ walkers, rounds: 21 }, 160_000);
    assert.deepEqual(
      [64, 16, 12, 4, 1].map(limits).map(({ plans }) => plans),
      [64, 64, 64, 256, 256],
    );
  });

  it("hands plans on from the first round, but few walkers with long ways first go their own", () => {
    const first = (walkers: number) =>
      [...Array(40).keys()].find((round) => handsOn({ walkers, rounds: 40 }, 160_000, round));
    assert.deepEqual([64, 16, 4].map(first), [0, 0, 12]);
  });

  it("refuses fewer evaluations than its segments need", () => {
    assert.throws(
      () => new PopulationSearch({ ...options, evaluations: 39 }, shape),
      /too few for 5 walkers in 4 rounds/,
    );
    assert.throws(() => new PopulationSearch(options, { walkers: 0, rounds: 4 }), /walkers must be at least 1/);
    assert.throws(() => new PopulationSearch(options, { walkers: 2, rounds: 0.5 }), /rounds must be at least 1/);
    const alone = new PopulationSearch({ ...options, evaluations: 1 }, { walkers: 1, rounds: 1 });
    const asked = alone.ask();
    assert.ok(asked.kind === "candidate");
    const value: SegmentValue = new SegmentRunner(day, weights).run(asked.candidate);
    assert.deepEqual([value.evaluations, value.end.plan], [1, []]);
  });
});
