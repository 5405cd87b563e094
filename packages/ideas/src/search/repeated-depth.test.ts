import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import { type ProgressLevel, random } from "@coppice/engine";
import { soak } from "@coppice/engine/soak";
import { defaultShape } from "../config/choices.ts";
import type { Metrics, TreeTask, TreeValue } from "../contract.ts";
import { compare } from "../score/compare.ts";
import { criticalT } from "../score/student-t.ts";
import type { ScoreConfig, TreeShape } from "../settings.ts";
import { TreeSearch } from "./tree-search.ts";

const score: Extract<ScoreConfig, { kind: "columns" }> = {
  kind: "columns",
  metrics: [{ column: "ms", weight: 1, better: "lower" }],
  primary: "ms",
  primaryTolerance: 0.05,
  risk: null,
};

/** Share of the time that each idea saves; the second of the good ones is only there once the first is. */
const PLANTED: Readonly<Record<string, number>> = {
  "a-nothing.md": 0,
  "b-best.md": 0.3,
  "c-nothing.md": 0,
  "d-worse.md": -0.1,
  "e-good.md": 0.12,
  "f-nothing.md": 0,
  "g-little.md": 0.05,
};

const keptFile = (path: string) => ({ path, sha256: hash("sha256", path, "hex") });

/** A tree over ideas that are known, each measured with normal noise of this share; in paired repeats half of it is shared. */
class NoisyTree {
  readonly search: TreeSearch;
  /** Milliseconds of every commit without noise. */
  readonly #true = new Map([["c0", 1000]]);
  readonly #noise: number;
  readonly #seed: number;
  readonly #paired: boolean;
  measurements = 0;

  readonly #drift: (repeat: number) => number;
  /** How far the search said it was, whenever it waited. */
  readonly progress: (readonly ProgressLevel[])[] = [];

  /** `drift`: what a repeat adds to everything, as a share. */
  constructor(
    seed: number,
    noise: number,
    shape: Partial<TreeShape>,
    paired = false,
    drift: (repeat: number) => number = () => 0,
  ) {
    this.#drift = drift;
    this.#seed = seed;
    this.#noise = noise;
    this.#paired = paired;
    const whole = { ...defaultShape, dedupeScope: "accepted" as const, ...shape };
    const limits = { maxDepth: 2, maxEvaluations: null, stopAfterDepths: null, again: new Map() };
    this.search = new TreeSearch({ rootCommit: "c0", score, paired, shapeAt: () => whole, ...limits });
    const asked: TreeTask[] = [];
    for (let told = 0; ; ) {
      const proposal = this.search.ask();
      if (proposal.kind === "candidate") asked.push(proposal.candidate);
      else if (proposal.kind === "wait") {
        this.progress.push(this.search.progress().levels ?? []);
        this.search.tell({ ok: true, value: this.#answer(asked[told]) }, told++);
      } else return;
    }
  }

  get promoted(): string[] {
    return this.search.result().promotions.map(({ idea }) => idea);
  }

  #measure(commit: string, repeat: number, what: string): Metrics {
    this.measurements++;
    const draw = (name: string) => random(this.#seed).at(name).normal();
    const shared = this.#paired ? draw(`repeat ${repeat}`) * this.#noise : 0;
    const own = draw(`${what} ${repeat}`) * this.#noise;
    return { ms: (this.#true.get(commit) ?? 0) * (1 + shared + own) * (1 + this.#drift(repeat)) };
  }

  #answer(task: TreeTask): TreeValue {
    const cost = { money: 0, tokens: 0 };
    switch (task.kind) {
      case "root":
        return { kind: "root", baseline: keptFile("artifacts/root"), metrics: this.#measure("c0", 0, "root") };
      case "ideas": {
        const ideas = Object.keys(PLANTED).map((name) => ({ name, ...keptFile(`ideas/${name}`), textHash: name }));
        return { kind: "ideas", ideas, refused: [], conversation: null, cost };
      }
      case "evaluation": {
        const commit = `${task.parent.commit}+${task.idea.name}`;
        this.#true.set(commit, (this.#true.get(task.parent.commit) ?? 0) * (1 - PLANTED[task.idea.name]));
        const metrics = this.#measure(commit, 0, `evaluation ${task.evalId}`);
        const compared = compare(
          { metrics, rows: 1 },
          { metrics: { ms: this.#true.get(task.parent.commit) ?? 0 }, rows: 1 },
          score,
        );
        return {
          kind: "evaluation",
          commit,
          results: keptFile(`artifacts/${task.evalId}`),
          metrics,
          completeness: { expected: null, uniqueIds: 1, ok: 1, errors: 0, complete: true },
          parentRelative: compared,
          rootRelative: compared,
          rounds: [],
          steps: [],
          cost,
        };
      }
      case "repeat": {
        const what = task.evalId === null ? `node ${task.parent.nodeId} at ${task.depth}` : `evaluation ${task.evalId}`;
        const metrics = this.#measure(task.commit, task.repeat, what);
        return { kind: "repeat", results: keptFile("artifacts/repeat"), metrics, compared: null, cost };
      }
      case "promotion":
        return { kind: "promotion", baseline: task.results };
      case "prune":
        return { kind: "prune", deferred: [] };
      default:
        return task satisfies never;
    }
  }
}

test("with noise of 5 % and nothing said of repeats the planted best is found in at least 19 of 20 trees, and nothing without gain is promoted", () => {
  for (const [paired, first] of [
    [false, 0],
    [true, 1000],
  ] as const) {
    const seeds = Array.from({ length: soak(20, 400) }, (_, seed) => first + seed);
    const trees = seeds.map((seed) => new NoisyTree(seed, 0.05, {}, paired).promoted);
    const right = trees.filter((ideas) => ideas[0] === "b-best.md" && ideas[1] === "e-good.md").length;
    assert.ok(right >= seeds.length * 0.95, `${right} of ${seeds.length} are b-best.md, then e-good.md`);
    const useless = trees.flat().filter((idea) => PLANTED[idea] <= 0);
    assert.ok(useless.length <= seeds.length * 0.005, `promoted without a gain: ${useless.join(", ")}`);
  }
});

test("where a repeat is the same for all, what was measured less often is compared over the repeats that both have", () => {
  // Repeats after the first five are faster by a fifth; what has no gain keeps the root measured for all of them.
  const { search } = new NoisyTree(1, 0.002, { beamWidth: 4 }, true, (repeat) => (repeat < 5 ? 0 : -0.2));
  const repeats = new Set<number>();
  for (const { task, outcome, race } of search.evaluations.values()) {
    assert.ok(outcome?.state === "completed" && race !== undefined);
    repeats.add(race.standing.repeats);
    const gain = PLANTED[task.idea.name];
    const [, ...before] = task.parent.commit.split("+");
    const whole = 1 - [...before, task.idea.name].reduce((share, idea) => share * (1 - PLANTED[idea]), 1);
    for (const [said, is] of [
      [outcome.result.parentRelative.score, gain],
      [outcome.result.rootRelative.score, whole],
    ]) {
      assert.ok(Math.abs((said ?? 9) - (is ?? 0)) < 0.01, `${task.idea.name} at ${task.depth}: ${said}, not ${is}`);
    }
    if (gain > 0) assert.notEqual(search.decisionOf(task.evalId)?.reason, "primary_regressed");
  }
  assert.ok(repeats.has(5) && repeats.has(20), [...repeats].join());
});

test("measured once, the same trees promote what has no gain", () => {
  const trees = Array.from({ length: 20 }, (_, seed) => new NoisyTree(seed, 0.05, { repeats: 1 }).promoted);
  const wrong = trees.filter(([first, second]) => first !== "b-best.md" || second !== "e-good.md").length;
  assert.ok(wrong > 1, `${wrong} of 20 are wrong`);
});

test("what always comes out the same is measured once unless it is said, and what is clear no more often than it is said", () => {
  const once = new NoisyTree(1, 0, {});
  assert.deepEqual(once.promoted, ["b-best.md", "e-good.md"]);
  // The root twice, to see that; then every idea.
  assert.equal(once.measurements, 2 + 7 + 6);
  const exact = new NoisyTree(1, 0, { repeats: 3, leastGain: 0.01 });
  assert.deepEqual(exact.promoted, ["b-best.md", "e-good.md"]);
  // The root once; at each depth its node and the ideas that are left, three times each.
  assert.equal(exact.measurements, 1 + 3 * (1 + 7) + 3 * (1 + 6));
});

test("repeats count in how far a depth is: it is not at its end while one is out", () => {
  const { progress, search } = new NoisyTree(3, 0.05, {});
  const measuring = progress.filter(([, level]) => level?.name === "Measurements");
  assert.ok(measuring.length > 50);
  // Between the last repeat and the next depth only the promotion is left.
  const ends = measuring.filter(([, level]) => level.done >= level.total);
  assert.ok(ends.length <= 6, `${ends.length} of ${measuring.length}`);
  assert.deepEqual(search.progress().levels?.[0], { name: "Depths", done: 2, total: 2 });
});

test("the least gain keeps out what is better by less", () => {
  assert.deepEqual(new NoisyTree(1, 0, { leastGain: 0.2 }).promoted, ["b-best.md"]);
  assert.deepEqual(new NoisyTree(1, 0, { repeats: 3, leastGain: 0.2 }).promoted, ["b-best.md"]);
  assert.deepEqual(new NoisyTree(1, 0, { leastGain: 0 }).promoted, ["b-best.md", "e-good.md"]);
});

test("Student's t: critical values as tables have them", () => {
  const rounded = [criticalT(0.025, 10), criticalT(0.05, 1), criticalT(0.001, 5)].map((t) => t.toFixed(3));
  assert.deepEqual(rounded, ["2.228", "6.314", "5.893"]);
});
