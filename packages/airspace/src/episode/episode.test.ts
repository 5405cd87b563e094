import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { dice } from "../../test/dice.ts";
import { usDay } from "../instance/us-day.ts";
import { PlanEvaluator } from "../network/kernel/plan-evaluator.ts";
import { scoreFromScratch } from "../network/score-from-scratch.ts";
import { defaultWeights } from "../network/weights.ts";
import { checkPlan } from "../plan/check-plan.ts";
import { planFileContent } from "../plan/plan-content.ts";
import { readPlanFile } from "../plan/plan-file.ts";
import { defaultEpisodeOptions, type EpisodeOptions } from "./episode-options.ts";
import { EpisodeProblem } from "./episode-problem.ts";
import {
  type EpisodeAction,
  type EpisodeState,
  episodeKey,
  firstState,
  type HotspotFacts,
  IllegalAction,
  isOver,
  stepEpisode,
} from "./episode-state.ts";
import { planEpisode } from "./plan-episode.ts";

/** As published: a tree that explores more, where the order in which flows came makes nodes of their own and the root may stop. */
const publishedEpisodeOptions: EpisodeOptions = {
  ...defaultEpisodeOptions,
  reversalBan: 2,
  stop: "anywhere",
  exploration: 1,
};

const options: EpisodeOptions = { ...defaultEpisodeOptions, maxRegulations: 3, dwellingFactor: 0.5 };
const facts: HotspotFacts = () => ({ flightCounts: [10, 6, 4, 0], capacityEstimate: 20 });
const pick: EpisodeAction = { kind: "PickHotspot", volume: 1, fromBin: 20, toBin: 30 };
const add = (flow: number): EpisodeAction => ({ kind: "AddFlow", flow });
const remove = (flow: number): EpisodeAction => ({ kind: "RemoveFlow", flow });
const finalize: EpisodeAction = { kind: "FinalizeRegulation" };
const commit: EpisodeAction = { kind: "CommitRegulation" };
const play = (actions: readonly EpisodeAction[], given = options): EpisodeState =>
  actions.reduce((state, action) => stepEpisode(state, action, given, facts), firstState);
const everything: readonly EpisodeAction[] = [
  add(0),
  add(1),
  add(2),
  remove(0),
  remove(1),
  remove(2),
  finalize,
  commit,
];
const tried = (state: EpisodeState, action: EpisodeAction, given: EpisodeOptions): EpisodeState | undefined => {
  try {
    return stepEpisode(state, action, given, facts);
  } catch (error) {
    if (error instanceof IllegalAction) return undefined;
    throw error;
  }
};
const storm = usDay();
const search = { ...defaultEpisodeOptions, evaluations: 400, seed: 5 };

describe("a planning episode", () => {
  it("F-30, F-31: counts actions and regulations, and preloads a draft's flights and capacity", () => {
    const state = play([pick, add(0), finalize, commit, pick]);
    assert.equal(state.actionCount, 5);
    assert.equal(state.measures.length, 1);
    assert.equal(state.done, false);
    assert.deepEqual(state.draft?.flightCounts, [10, 6, 4, 0]);
    assert.deepEqual([state.draft?.capacityEstimate, state.draft?.removalsUsed], [20, 0]);
  });

  it("F-32, F-36: has two stages, and a picked hotspot leads to building", () => {
    assert.equal(firstState.stage, "pick_hotspot");
    assert.equal(play([pick]).stage, "build_regulation");
    assert.throws(() => play([pick, pick]), IllegalAction);
    assert.throws(() => play([add(0)]), /AddFlow needs a picked hotspot/);
  });

  it("F-33: refuses removals beyond the budget and counts each", () => {
    const one = play([pick, add(0), add(1), remove(0)]);
    assert.equal(one.draft?.removalsUsed, 1);
    assert.throws(() => stepEpisode(one, remove(1), options, facts), /no removals are left/);
    assert.throws(() => play([pick, remove(0)]), /flow 0 is not chosen/);
  });

  it("F-34: finalizes once the flights reach the factor times the capacity, equality included", () => {
    assert.throws(() => play([pick, add(1), finalize]), /too few flights/);
    assert.equal(play([pick, add(0), finalize]).draft?.finalized, true, "10 of 0.5 × 20");
    assert.throws(() => play([pick, add(0), finalize], { ...options, dwellingFactor: 0.51 }), /too few flights/);
    assert.throws(() => play([pick, finalize], { ...options, dwellingFactor: 0 }), /too few flights/);
  });

  it("F-35: commits only what was finalized, appends it and picks again", () => {
    assert.throws(() => play([pick, add(0), commit]), /finalized before it is committed/);
    assert.throws(() => play([pick, add(0), finalize, add(1)]), /can only be committed/);
    const state = play([pick, add(0), finalize, commit]);
    assert.deepEqual(state.measures, [{ volume: 1, fromBin: 20, toBin: 30, flows: 1 }]);
    assert.deepEqual([state.stage, state.draft], ["pick_hotspot", undefined]);
  });

  it("F-37, F-39: ends by Stop, by the number of regulations or by the number of actions", () => {
    const stopped = play([pick, { kind: "Stop" }]);
    assert.deepEqual([stopped.done, stopped.stage, stopped.measures.length], [true, "stopped", 0]);
    const one = [pick, add(0), finalize, commit];
    assert.equal(isOver(play([...one, ...one]), options), false);
    const three = play([...one, ...one, ...one]);
    assert.equal(isOver(three, options), true);
    assert.throws(() => stepEpisode(three, pick, options, facts), /the episode is over/);
    assert.equal(isOver(play([pick, add(0)]), { ...options, maxActions: 2 }), true);
  });

  it("F-42: goes back only where that is allowed", () => {
    assert.throws(() => play([pick, { kind: "Back" }]), /no way back/);
    const back = play([pick, add(0), { kind: "Back" }], { ...options, back: true });
    assert.deepEqual([back.stage, back.draft], ["pick_hotspot", undefined]);
  });

  it("F-43: has one key whatever the order flows were chosen in, and never changes its input", () => {
    const free = { ...options, reversalBan: 0 };
    const state = play([pick, add(0), add(1)], free);
    assert.equal(episodeKey(state, free), episodeKey(play([pick, add(1), add(0)], free), free));
    const copy = structuredClone(state);
    stepEpisode(state, add(2), free, facts);
    assert.deepEqual(state, copy);
  });

  it("F-43: as shipped, states are one node exactly if the same was decided and the same can still be done", () => {
    // Every flow set of a hotspot is one node, however it came about; with a ban, what it forbids keeps nodes apart.
    for (const given of [options, { ...options, maxRemovals: 0 }, { ...options, reversalBan: 2 }]) {
      const states = new Map<string, EpisodeState>();
      const rights = (state: EpisodeState, depth: number): string => {
        if (depth === 0 || isOver(state, given)) return "";
        return everything
          .flatMap((action) => {
            const banned = "flow" in action && state.draft?.changed.includes(action.flow);
            const next = banned ? undefined : tried(state, action, given);
            return next === undefined ? [] : [`${JSON.stringify(action)}(${rights(next, depth - 1)})`];
          })
          .join();
      };
      const walk = (state: EpisodeState, depth: number): void => {
        const key = episodeKey(state, given);
        const known = states.get(key);
        if (known === undefined) states.set(key, state);
        else {
          assert.deepEqual([known.measures, known.draft?.flows], [state.measures, state.draft?.flows], key);
          assert.equal(rights(state, 3), rights(known, 3), key);
        }
        if (depth === 0 || isOver(state, given)) return;
        for (const action of everything) {
          if ("flow" in action && state.draft?.changed.includes(action.flow)) continue;
          const next = tried(state, action, given);
          if (next !== undefined) walk(next, depth - 1);
        }
      };
      walk(play([pick], given), 5);
      const drafts = [...states.values()].filter(({ draft }) => draft !== undefined && !draft.finalized);
      const different = new Set(drafts.map(({ draft }) => `${draft?.flows} ${draft?.removalsUsed}`));
      if (given.reversalBan === 0) assert.equal(drafts.length, different.size, "one node per set and removals");
      else assert.ok(drafts.length > different.size);
    }
  });

  it("F-41, F-42: offers what each stage allows, likelier the worse the hotspot and the more flights, Stop least", () => {
    const problem = new EpisodeProblem(storm, new PlanEvaluator(storm, defaultWeights), publishedEpisodeOptions);
    const picks = problem.actions(firstState);
    assert.deepEqual(new Set(picks.map(({ kind }) => kind)), new Set(["PickHotspot", "Stop"]));
    const priors = problem.prior(firstState, picks);
    for (let a = 1; a < priors.length; a++) assert.ok(priors[a] <= priors[a - 1]);
    const building = problem.step(firstState, picks[0]);
    const adds = problem.actions(building);
    const flights = (action: EpisodeAction) =>
      action.kind === "AddFlow" ? (building.draft?.flightCounts[action.flow] ?? 0) : 0;
    const ofAdds = problem.prior(building, adds);
    adds.forEach((action, a) => {
      if (action.kind === "AddFlow") assert.equal(ofAdds[a], Math.log(flights(action)));
    });
    assert.ok(Math.min(...ofAdds) === ofAdds[adds.length - 1] && adds.at(-1)?.kind === "Stop");
  });

  it("as shipped, neither the root stops at once nor a draft, whose end is that before it", () => {
    const problem = new EpisodeProblem(storm, new PlanEvaluator(storm, defaultWeights), defaultEpisodeOptions);
    const stops = (state: EpisodeState) => problem.actions(state).some(({ kind }) => kind === "Stop");
    const picks = problem.actions(problem.root);
    const picked = problem.step(problem.root, picks[0]);
    const adding = problem.actions(picked).find(({ kind }) => kind === "AddFlow");
    assert.ok(picks.length === defaultEpisodeOptions.hotspots && adding !== undefined);
    const added = problem.step(picked, adding);
    const finalized = problem.step(added, finalize);
    assert.deepEqual([problem.root, picked, added, finalized].map(stops), [false, false, false, false]);
    assert.equal(stops(problem.step(finalized, commit)), true);
  });

  it("F-46: bans reversals for a while and no flow set comes twice at a hotspot; every offered action is legal", () => {
    const problem = new EpisodeProblem(storm, new PlanEvaluator(storm, defaultWeights), publishedEpisodeOptions);
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const roll = dice(seed);
        let state: EpisodeState = problem.root;
        const sets = new Set<string>();
        for (let moves = 0; moves < 60 && !problem.isTerminal(state); moves++) {
          const actions = problem.actions(state).filter(({ kind }) => kind !== "Stop");
          if (actions.length === 0) break;
          const action = actions[roll(actions.length)];
          if (action.kind === "AddFlow" || action.kind === "RemoveFlow") {
            assert.ok(!state.draft?.changed.includes(action.flow), "a reversal");
          }
          const next = problem.step(state, action);
          if (action.kind === "CommitRegulation") {
            const line = JSON.stringify(next.measures.at(-1));
            assert.ok(!sets.has(line), `twice: ${line}`);
            sets.add(line);
          }
          state = next;
        }
      }),
      { numRuns: 15 },
    );
  });

  it("F-46: a flow set that was committed at a hotspot cannot be finalized there again, another one can", () => {
    const problem = new EpisodeProblem(storm, new PlanEvaluator(storm, defaultWeights), options);
    const built = play([pick, add(0), add(1)]);
    const offers = (flows: number) =>
      problem
        .actions({ ...built, measures: [{ volume: 1, fromBin: 20, toBin: 30, flows }] })
        .some(({ kind }) => kind === "FinalizeRegulation");
    assert.deepEqual([offers(0b11), offers(0b1), offers(0b111)], [false, true, true]);
  });

  it("later hotspots are those of the traffic as the plan so far delays it", () => {
    const problem = new EpisodeProblem(storm, new PlanEvaluator(storm, defaultWeights), defaultEpisodeOptions);
    let state = problem.step(firstState, problem.actions(firstState)[0]);
    for (let flow = 0; flow < 3; flow++) {
      const next = problem.actions(state).find(({ kind }) => kind === "AddFlow");
      if (next !== undefined) state = problem.step(state, next);
    }
    state = problem.step(problem.step(state, finalize), commit);
    const evaluator = new PlanEvaluator(storm, defaultWeights);
    evaluator.evaluate(problem.ratedPlan(state.measures));
    evaluator.keep();
    for (const action of problem.actions(state)) {
      if (action.kind !== "PickHotspot") continue;
      const over = Array.from({ length: action.toBin - action.fromBin }, (_, b) =>
        evaluator.over(action.volume, action.fromBin + b),
      );
      assert.ok(Math.max(...over) > 0);
    }
    assert.notDeepEqual(problem.actions(state), problem.actions(firstState));
  });
});

describe("searching episodes", () => {
  it("F-38, F-44, F-45, F-48, F-50: one search over whole plans ends below the empty plan, the same each time", () => {
    const run = () => {
      const evaluator = new PlanEvaluator(storm, defaultWeights);
      const { plan, telemetry } = planEpisode(storm, evaluator, search);
      return { plan, telemetry, evaluations: evaluator.evaluations };
    };
    const first = run();
    assert.deepEqual(run(), first);
    const { objective } = scoreFromScratch(storm, first.plan, defaultWeights).score;
    assert.ok(objective < 2082, `${objective}`);
    assert.ok(first.evaluations <= search.evaluations);
    const { episodes, terminalEvaluations, nodes, bestReward, planLength } = first.telemetry;
    assert.ok(terminalEvaluations <= episodes && nodes > 1);
    assert.equal(planLength, first.plan.length);
    assert.ok(-bestReward >= objective, "exact rates are not worse than cheap ones");
  });

  it("F-40: a plan that comes up twice is evaluated once", () => {
    const evaluator = new PlanEvaluator(storm, defaultWeights);
    const given = { ...search, maxRegulations: 1, hotspots: 1, evaluations: 300 };
    const { telemetry } = planEpisode(storm, evaluator, given);
    assert.ok(telemetry.terminalEvaluations < telemetry.episodes);
  });

  it("F-49: its plan can be written, read and validated like any other", () => {
    const { plan } = planEpisode(storm, new PlanEvaluator(storm, defaultWeights), search);
    const text = JSON.stringify(planFileContent(plan, storm, defaultWeights));
    assert.deepEqual(readPlanFile({ source: "plan.json", text }, storm).plan, plan);
    for (const { violations } of checkPlan(storm, plan, search.evaluations)) assert.deepEqual(violations, []);
  });
});
