import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { SearchTree } from "@coppice/engine";
import { Mcts } from "@coppice/search";
import { usDay } from "../instance/us-day.ts";
import { scoreFromScratch } from "../network/score-from-scratch.ts";
import { defaultWeights } from "../network/weights.ts";
import { checkPlan } from "../plan/check-plan.ts";
import { makePlan } from "./make-plan.ts";
import { MOST_CHILDREN } from "./plan-tree.ts";
import { type PlannerOptions, plannerParts, plannerPolicies } from "./planner-options.ts";

const storm = usDay("storm");
const options: PlannerOptions = { policy: "default", seed: 3, evaluations: 300, without: [] };
const empty = scoreFromScratch(storm, [], defaultWeights).score.objective;

const descending = (a: number, b: number): number => b - a;

describe("planning a day", () => {
  for (const policy of plannerPolicies) {
    it(`${policy}: the score is that of the plan, found within the evaluations, and the same each time`, () => {
      const planning = makePlan(storm, defaultWeights, { ...options, policy });
      assert.deepEqual(planning.score, scoreFromScratch(storm, planning.plan, defaultWeights).score);
      assert.ok(planning.evaluations <= options.evaluations, `${planning.evaluations}`);
      assert.deepEqual(makePlan(storm, defaultWeights, { ...options, policy }), planning);
      for (const { name, violations } of checkPlan(storm, planning.plan, undefined)) {
        assert.deepEqual(violations, [], name);
      }
      if (policy === "empty") assert.equal(planning.score.objective, empty);
      else assert.ok(planning.score.objective < empty, `${planning.score.objective} of ${empty}`);
    });
  }

  it("spends at least three tenths of its evaluations in the tree", () => {
    for (const evaluations of [300, 1000]) {
      const { treeEvaluations } = makePlan(storm, defaultWeights, { ...options, evaluations });
      assert.ok(treeEvaluations >= 0.3 * evaluations && treeEvaluations < 0.4 * evaluations, `${treeEvaluations}`);
    }
  });

  it("can do without each of its parts, which then makes a difference", { timeout: 300_000 }, () => {
    const onStorm = (without: PlannerOptions["without"]) =>
      makePlan(storm, defaultWeights, { ...options, evaluations: 6000, without });
    const all = onStorm([]);
    for (const part of plannerParts) {
      const less = onStorm([part]);
      assert.deepEqual(less.score, scoreFromScratch(storm, less.plan, defaultWeights).score);
      assert.ok(less.score.objective < 2082, part);
      assert.notDeepEqual(less.convergence, all.convergence, part);
      assert.equal(less.treeNodes === 0, part === "tree");
    }
  });

  it("finds the same plan, evaluation by evaluation, whether or not scoring stops at what is not wanted", () => {
    for (const [policy, delayMinute] of [
      ["default", 0.02],
      ["annealing", 0.05],
    ] as const) {
      const given = { ...options, policy, evaluations: 1000 };
      const weights = { ...defaultWeights, delayMinute };
      assert.deepEqual(makePlan(storm, weights, given), makePlan(storm, weights, given, { toTheEnd: true }));
    }
  });

  it("gives a shape that says how often the tree's search came by each plan, all of the same prior", (t) => {
    let searched: SearchTree | undefined;
    const { tell } = Mcts.prototype;
    t.mock.method(Mcts.prototype, "tell", function (this: Mcts<unknown, unknown>, ...told: Parameters<typeof tell>) {
      tell.apply(this, told);
      searched = this.tree();
    });
    const { tree } = makePlan(storm, defaultWeights, { ...options, evaluations: 2000, without: ["rerooting"] });
    assert.ok(tree !== undefined && searched !== undefined);
    const visits = tree.parent.map(() => 1);
    for (let node = visits.length - 1; node > 0; node--) visits[tree.parent[node]] += visits[node];
    const nodes = searched.nodes.filter((node) => node.visits > 0);
    assert.deepEqual(nodes.map((node) => node.visits).sort(descending), visits.sort(descending));
    assert.ok(nodes.length > 10);
    for (const { prior } of nodes.slice(1)) assert.equal(prior, 1 / MOST_CHILDREN);
  });

  it("gives the tree's shape: parents first, each plan at most a line longer than its parent's", () => {
    const { tree, treeNodes } = makePlan(storm, defaultWeights, options);
    assert.ok(tree !== undefined);
    const { parent, objective, lines } = tree;
    assert.deepEqual([parent.length, objective.length, lines.length], [treeNodes, treeNodes, treeNodes]);
    assert.deepEqual([parent[0], objective[0], lines[0]], [-1, empty, 0]);
    for (let node = 1; node < treeNodes; node++) {
      assert.ok(parent[node] >= 0 && parent[node] < node);
      assert.ok(lines[node] - lines[parent[node]] <= 1);
    }
    assert.equal(makePlan(storm, defaultWeights, { ...options, without: ["tree"] }).tree, undefined);
  });

  it("tells how the best fell, evaluation by evaluation", () => {
    const { convergence, score } = makePlan(storm, defaultWeights, options);
    assert.deepEqual(convergence[0], [1, empty]);
    assert.equal(convergence.at(-1)?.[1], score.objective);
    for (let at = 1; at < convergence.length; at++) {
      assert.ok(convergence[at][0] > convergence[at - 1][0] && convergence[at][1] < convergence[at - 1][1]);
    }
  });

  it("leaves a day on which nothing pays alone, whatever the policy", () => {
    const clear = usDay("clear");
    const { exceedance } = scoreFromScratch(clear, [], defaultWeights).score;
    assert.ok(exceedance < defaultWeights.regulation, "less than a regulation costs");
    for (const policy of plannerPolicies) {
      const { plan, score } = makePlan(clear, defaultWeights, { ...options, policy, evaluations: 50 });
      assert.deepEqual([plan.length, score.objective], [0, exceedance], policy);
    }
  });

  it("on the real day 600 evaluations take off at least a fifth of J", () => {
    const { score } = makePlan(storm, defaultWeights, { ...options, evaluations: 600, seed: 77 });
    assert.ok(score.objective < 0.8 * 2082, `${score.objective}`);
  });
});
