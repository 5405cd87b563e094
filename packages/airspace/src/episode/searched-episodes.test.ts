import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Mcts } from "@coppice/search";
import { cutDownDay } from "../../test/cut-down-day.ts";
import { PlanEvaluator } from "../network/kernel/plan-evaluator.ts";
import { scoreFromScratch } from "../network/score-from-scratch.ts";
import { defaultWeights } from "../network/weights.ts";
import { makePlan } from "../planner/make-plan.ts";
import { defaultEpisodeOptions, type EpisodeOptions } from "./episode-options.ts";
import { EpisodeProblem, type EpisodeTree, episodeTree } from "./episode-problem.ts";
import { type EpisodeAction, type EpisodeState, measuresKey } from "./episode-state.ts";

const day = cutDownDay();
/** Prices at which regulations pay more often. */
const cheap = { ...defaultWeights, delayMinute: 0.002, regulation: 0.5 };
const rules: EpisodeOptions = { ...defaultEpisodeOptions, maxRegulations: 3 };
const quiet = { hotspot: { share: 0, concentration: 1 }, flow: { share: 0, concentration: 1 } };
const usual = {
  goal: "minimise",
  window: 1,
  playout: "prior",
  widening: { base: 4, factor: 1, exponent: 0.7 },
} as const;

/** A tree over episodes of the usual rules, searched to its end. */
function byTree(grow: (problem: EpisodeProblem) => EpisodeTree): EpisodeTree {
  const evaluator = new PlanEvaluator(day, cheap);
  const problem = new EpisodeProblem(day, evaluator, rules);
  const tree = grow(problem);
  for (let ask = 0, next = tree.ask(); next.kind === "candidate"; ask++, next = tree.ask()) {
    tree.tell({ ok: true, value: evaluator.evaluate(problem.ratedPlan(next.candidate.measures)).objective }, ask);
  }
  return tree;
}

/** Searches episodes by hand and remembers what was evaluated. */
function searched(given: EpisodeOptions, evaluations: number, seed = 1) {
  const evaluator = new PlanEvaluator(day, defaultWeights);
  const problem = new EpisodeProblem(day, evaluator, given);
  const tree = new Mcts(problem, { ...usual, seed, budget: { evaluations } });
  const told: { readonly state: EpisodeState; readonly key: string; readonly objective: number }[] = [];
  for (let ask = 0, next = tree.ask(); next.kind === "candidate"; ask++, next = tree.ask()) {
    const { objective } = evaluator.evaluate(problem.ratedPlan(next.candidate.measures));
    told.push({ state: next.candidate, key: next.key, objective });
    tree.tell({ ok: true, value: objective }, ask);
  }
  return { problem, tree, told };
}

/** Priors of the actions opened in a node, by action. */
function priorsAt(problem: EpisodeProblem, tree: Mcts<EpisodeState, EpisodeAction>, state: EpisodeState) {
  const key = problem.key(state);
  const edges = tree.statistics().filter(({ from }) => from === key);
  return new Map(edges.map(({ action, prior }) => [JSON.stringify(action), prior]));
}

describe("searching episodes of a small day", () => {
  it("F-38, F-39: nothing but the end of an episode has a value: what its plan costs the network, asked once", () => {
    const { problem, told } = searched(rules, 120);
    for (const { state, objective } of told) {
      assert.ok(problem.isTerminal(state) || problem.actions(state).length === 0);
      const fromNothing = scoreFromScratch(day, problem.ratedPlan(state.measures), defaultWeights).score.objective;
      assert.ok(Math.abs(objective - fromNothing) < 1e-9);
    }
    assert.equal(new Set(told.map(({ key }) => key)).size, told.length);
  });

  it("F-43: an action is worth the mean of the ends found below it, and more are opened as visits grow", () => {
    const { problem, tree, told } = searched(rules, 120);
    const root = tree.statistics().filter(({ from }) => from === problem.key(problem.root));
    const visits = root.reduce((sum, edge) => sum + edge.visits, 0);
    const total = root.reduce((sum, edge) => sum + edge.total, 0);
    const { simulations } = tree.result();
    assert.equal(visits, simulations - 1, "the first playout starts at the root itself");
    const values = told.map(({ objective }) => objective);
    assert.ok(total / visits >= Math.min(...values) && total / visits <= Math.max(...values));
    const early = searched(rules, 4);
    const opened = (of: typeof early) => priorsAt(of.problem, of.tree, of.problem.root).size;
    assert.ok(opened(early) < root.length, `${opened(early)} of ${root.length}`);
  });

  it("F-43: the tree that planning uses takes means, not bests", () => {
    const seed = 4;
    const used = byTree((problem) => episodeTree(problem, { seed, window: 1, evaluations: 80 }));
    const { exploration, rootNoise: noise } = rules;
    const settings = { ...usual, seed, exploration, noise, knownEnds: "once" } as const;
    const built = (backup: "mean" | "best") =>
      byTree((problem) => new Mcts(problem, { ...settings, backup, budget: { evaluations: 80 } })).statistics();
    assert.deepEqual(used.statistics(), built("mean"));
    assert.notDeepEqual(used.statistics(), built("best"));
  });

  it("F-45: one search over whole plans; the way most visited is one that can be played to its end", () => {
    const { problem, tree } = searched(rules, 200);
    const { mostVisited, best } = tree.result();
    let state = problem.root;
    for (const action of mostVisited) state = problem.step(state, action);
    assert.ok(mostVisited.length > 0 && best !== undefined);
    const replayed = best.actions.reduce<EpisodeState>((from, action) => problem.step(from, action), problem.root);
    assert.equal(measuresKey(replayed.measures), measuresKey(best.state.measures));
    assert.ok(best.state.measures.length > 1, "more than one regulation in one search");
  });

  it("F-44: cheap rates are a function of the plan: the same whatever was looked at before", () => {
    const { told } = searched(rules, 60);
    const fresh = new EpisodeProblem(day, new PlanEvaluator(day, defaultWeights), rules);
    const other = new EpisodeProblem(day, new PlanEvaluator(day, defaultWeights), rules);
    const plans = told.map(({ state }) => state.measures);
    const forwards = plans.map((plan) => fresh.ratedPlan(plan));
    const backwards = plans.toReversed().map((plan) => other.ratedPlan(plan));
    assert.deepEqual(backwards.toReversed(), forwards);
  });

  it("is the likelier to stop after a regulation the dearer delay is, and at the usual price hardly ever does", () => {
    const stopShare = (delayMinute: number): number => {
      const problem = new EpisodeProblem(day, new PlanEvaluator(day, { ...defaultWeights, delayMinute }), rules);
      let state = problem.root;
      while (state.measures.length === 0) {
        const actions = problem.actions(state);
        const kinds = ["CommitRegulation", "FinalizeRegulation", "AddFlow"];
        state = problem.step(state, actions.find(({ kind }) => kinds.includes(kind)) ?? actions[0]);
      }
      const actions = problem.actions(state);
      const weights = problem.prior(state, actions).map(Math.exp);
      const sum = weights.reduce((a, b) => a + b);
      return weights[actions.findIndex(({ kind }) => kind === "Stop")] / sum;
    };
    assert.ok(stopShare(defaultWeights.delayMinute) < 0.01);
    assert.equal(stopShare(0), stopShare(defaultWeights.delayMinute));
    assert.ok(Math.abs(stopShare(2.5 * defaultWeights.delayMinute) - 0.6) < 1e-9);
  });

  it("F-41: priors follow excess and flights; noise, and a temperature per class of actions, bend them", () => {
    const calm = searched({ ...rules, stop: "anywhere", noise: quiet }, 40);
    const offers = calm.problem.hotspots();
    const atRoot = priorsAt(calm.problem, calm.tree, calm.problem.root);
    const picks = offers.map(({ volume, fromBin, toBin }) =>
      JSON.stringify({ kind: "PickHotspot", volume, fromBin, toBin }),
    );
    const [a, b] = picks.map((pick) => atRoot.get(pick) ?? Number.NaN);
    assert.ok(Math.abs(a / b - offers[0].excess / offers[1].excess) < 1e-9, "proportional to excess");
    const stop = calm.problem.prior(calm.problem.root, [{ kind: "Stop" }])[0];
    assert.ok(stop < Math.log(offers[offers.length - 1].excess));

    const noisy = searched(rules, 40);
    const withNoise = priorsAt(noisy.problem, noisy.tree, noisy.problem.root);
    assert.notEqual(withNoise.get(picks[0]), atRoot.get(picks[0]));
    const first = calm.problem.step(calm.problem.root, calm.problem.actions(calm.problem.root)[0]);
    assert.deepEqual(noisy.problem.noise(first), rules.noise.flow);

    const warm = { ...rules, stop: "anywhere" as const, noise: quiet, temperature: { hotspot: 2, flow: 1, other: 1 } };
    const { problem } = searched(warm, 1);
    const [coolLogits, warmLogits] = [calm.problem, problem].map((of) => of.prior(of.root, of.actions(of.root)));
    assert.equal(warmLogits[0], coolLogits[0] / 2);
    assert.equal(warmLogits.at(-1), coolLogits.at(-1), "Stop is of another class");
    const flows = (of: EpisodeProblem) => of.prior(first, of.actions(first));
    assert.deepEqual(flows(problem), flows(calm.problem), "and so are flows");
  });

  it("F-46: Back cannot turn an episode in circles", () => {
    const { told } = searched({ ...rules, back: true }, 80);
    assert.equal(told.length, 80);
    for (const { state } of told) assert.ok(state.actionCount < 200);
  });

  it("F-47: regulations, actions, dwelling factor and removals are limits that plans keep", () => {
    const plain = { policy: "plain", seed: 3, evaluations: 500, without: [] } as const;
    const planned = (episode: Partial<EpisodeOptions>) => makePlan(day, cheap, { ...plain, episode });
    const one = planned({ maxRegulations: 1 });
    assert.ok(one.plan.length === 1 && one.episodes?.planLength === 1);
    assert.ok(planned({ maxRegulations: 4 }).plan.length > 1);
    const short = searched({ ...rules, maxActions: 6 }, 60);
    for (const { state } of short.told) assert.ok(state.actionCount <= 6);
    assert.equal(planned({ dwellingFactor: 1000 }).plan.length, 0, "no hotspot has so many flights");
    assert.equal(planned({ maxRemovals: 0 }).actionCounts.RemoveFlow, undefined);
    assert.ok((planned({ maxRemovals: 2 }).actionCounts.RemoveFlow ?? 0) > 0);
    assert.throws(() => planned({ maxRegulations: 0 }), /max regulations: 0; it must be at least 1/);
    assert.throws(() => planned({ dwellingFactor: -1 }), /dwelling factor: -1/);
  });

  it("F-48: says episodes, nodes, plan length, best reward and its J, and counts every action", () => {
    const { episodes, actionCounts, score } = makePlan(day, cheap, {
      policy: "plain",
      seed: 3,
      evaluations: 600,
      without: [],
    });
    assert.ok(episodes !== undefined);
    assert.ok(episodes.episodes >= episodes.terminalEvaluations && episodes.nodes > 1);
    const ends = byTree((problem) => episodeTree(problem, { seed: 3, window: 1, evaluations: 25 }));
    assert.equal(ends.result().evaluations, 25);
    assert.ok(episodes.terminalEvaluations > 25, `${episodes.terminalEvaluations} ends were scored`);
    assert.ok(episodes.planLength > 0 && episodes.planLength <= defaultEpisodeOptions.maxRegulations);
    assert.ok(-episodes.bestReward >= score.objective && -episodes.bestReward < 749);
    assert.ok(actionCounts.PickHotspot > 0 && actionCounts.CommitRegulation > 0 && actionCounts.Stop > 0);
  });

  it("finds hotspots without pricing: every evaluation is of an end, or finds rates in the end", () => {
    const { episodes, evaluations } = makePlan(day, cheap, {
      policy: "plain",
      seed: 3,
      evaluations: 2000,
      without: [],
    });
    assert.ok(episodes !== undefined && evaluations === 2000);
    assert.ok(episodes.terminalEvaluations > 0.9 * evaluations, `${episodes.terminalEvaluations}`);
  });

  it("F-40: one plan is evaluated once, also where an episode is cut off at different drafts of it", () => {
    const cut = { maxActions: 5, hotspots: 2, maxRemovals: 0 };
    const planning = makePlan(day, cheap, { policy: "plain", seed: 3, evaluations: 6000, without: [], episode: cut });
    assert.equal(planning.stopReason, "tree_exhausted");
    const problem = new EpisodeProblem(day, new PlanEvaluator(day, cheap), { ...rules, ...cut, maxRegulations: 12 });
    const ends = new Set<string>();
    const explore = (state: EpisodeState): void => {
      const actions = problem.isTerminal(state) ? [] : problem.actions(state);
      if (actions.length === 0) ends.add(measuresKey(state.measures));
      for (const action of actions) explore(problem.step(state, action));
    };
    explore(problem.root);
    assert.equal(planning.episodes?.terminalEvaluations, ends.size);
  });

  it("says that nothing is left to try instead of that evaluations were used up", () => {
    const tiny = { maxRegulations: 1, hotspots: 1, maxRemovals: 0 };
    const plain = { policy: "plain", seed: 3, without: [], episode: tiny } as const;
    const { stopReason, evaluations, episodes } = makePlan(day, cheap, { ...plain, evaluations: 6000 });
    assert.ok(evaluations < 600, `${evaluations}`);
    assert.equal(stopReason, "tree_exhausted");
    const problem = new EpisodeProblem(day, new PlanEvaluator(day, cheap), { ...rules, ...tiny });
    const [pick] = problem.actions(problem.root);
    const flows = problem.step(problem.root, pick).draft?.flightCounts.filter((count) => count > 0).length ?? 0;
    assert.equal(episodes?.terminalEvaluations, 2 ** flows - 1, "every set of flows was tried once");
    const few = makePlan(day, cheap, { ...plain, evaluations: 8 });
    assert.deepEqual([few.stopReason, few.evaluations], ["evaluations_exhausted", 8]);
  });

  it("F-38: shaping by a potential leaves what plans cost as it is, and the best of a whole tree too", () => {
    const tiny = { ...rules, maxRegulations: 1, hotspots: 3 };
    const whole = [0, 0.05, 0.1].map((phi) => {
      const evaluator = new PlanEvaluator(day, cheap);
      const problem = new EpisodeProblem(day, evaluator, { ...tiny, phi });
      const tree = episodeTree(problem, { seed: 5, window: 1, evaluations: 100_000 });
      const costs = new Map<string, number>();
      for (let ask = 0, next = tree.ask(); next.kind === "candidate"; ask++, next = tree.ask()) {
        const { objective } = evaluator.evaluate(problem.ratedPlan(next.candidate.measures));
        costs.set(measuresKey(next.candidate.measures), objective);
        tree.tell({ ok: true, value: objective }, ask);
      }
      const { best, stopped } = tree.result();
      assert.equal(stopped, "exhausted");
      return { best: best?.value, costs: [...costs].sort(), begun: [...costs.keys()] };
    });
    assert.deepEqual(whole[1].costs, whole[0].costs);
    assert.deepEqual(whole[2].costs, whole[0].costs);
    assert.deepEqual([whole[1].best, whole[2].best], [whole[0].best, whole[0].best]);
    assert.notDeepEqual(whole[2].begun, whole[0].begun, "but they are tried in another order");
  });
});
