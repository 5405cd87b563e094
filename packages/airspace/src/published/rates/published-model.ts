import { timed } from "@coppice/engine/evaluator";
import type { BinWindow, Instance } from "../../instance/instance.ts";
import { hourlyCapacity } from "../../rate-search/adaptive-grid.ts";
import type { RateTerms } from "../../rate-search/rate-kernel.ts";
import type { RateModel, RateModelSource } from "../../rate-search/rate-model.ts";
import { type ControlTask, controlledFlows, entrantsOf } from "../scoring/controlled-flows.ts";
import type { Components } from "../scoring/published-score.ts";
import type { PublishedWeights } from "../scoring/published-weights.ts";
import { type ScoreContext, scoreContext } from "../scoring/score-context.ts";
import { publishedTables } from "./published-tables.ts";

/** A regulation to find rates for, and a name for the state of the plan it is found in. */
export interface PublishedTask extends ControlTask {
  /** Default "": the empty plan. The plan itself changes no traffic; it only tells remembered scores apart. */
  readonly planKey?: string;
}

/**
 * Models with the published planner's semantics. Like the published caches, keys hold the ids of flows and not their
 * flights, and the undelayed counts of a volume are kept per plan: use a new source for other flights of the same names.
 */
export function publishedModels(
  instance: Instance,
  weights: Partial<PublishedWeights> = {},
): RateModelSource<PublishedTask> {
  const baseByPlanAndVolume = new Map<string, Int32Array>();
  return {
    flowCount: (task) => task.flows.length,
    key: ({ planKey = "", volume, mode, flows, window: asked }) => {
      const window = widened(asked);
      const ids = mode === "blanket" ? [] : flows.map((flow) => flow.id).sort();
      return JSON.stringify([planKey, volume, window, mode, ids]);
    },
    model: (task) => {
      const window = widened(task.window);
      const context = contextOf(instance, { ...task, window }, weights);
      const baseKey = JSON.stringify([task.planKey ?? "", task.volume]);
      const known = baseByPlanAndVolume.get(baseKey);
      if (known === undefined) baseByPlanAndVolume.set(baseKey, context.volumes[0].baseScheduled);
      return modelOf(known === undefined ? context : withBase(context, known), { ...task, window });
    },
  };
}

/** An empty window is taken as its first bin. */
function widened([from, to]: BinWindow): BinWindow {
  return [from, Math.max(to, from + 1)];
}

function contextOf(instance: Instance, task: ControlTask, weights: Partial<PublishedWeights>): ScoreContext {
  const flows = timed("rate_finder.build_flights_by_flow", () => controlledFlows(instance, task));
  const [from, to] = task.window;
  const targets = Array.from({ length: to - from }, (_, i) => ({ volume: task.volume, bin: from + i }));
  const attention = { targets, ripples: [] };
  return timed("rate_finder.build_score_context", () =>
    scoreContext(instance, { flows, volumes: [task.volume], attention, weights }),
  );
}

/** The context as a stale cache would leave it: counts of the flights that were scheduled first for this volume. */
function withBase(context: ScoreContext, baseScheduled: Int32Array): ScoreContext {
  return { ...context, volumes: context.volumes.map((scoped) => ({ ...scoped, baseScheduled })) };
}

function modelOf(context: ScoreContext, task: ControlTask): RateModel {
  const { instance, flows, weights } = context;
  const { tables, flightIds } = publishedTables(context, task.window);
  const entrants = timed("rate_finder.compute_entrants", () =>
    task.flows.map((flow) => entrantsOf(instance, task.volume, task.window, flow.flights)),
  );
  return {
    tables,
    flowIds: flows.map((flow) => flow.id),
    entrants: flows.map((flow) => flow.requests.length),
    entrantsByFlow: new Map(task.flows.map((flow, f) => [flow.id, entrants[f].length])),
    gridDemand: {
      entryBins: entrants.map((list) => list.map((entrant) => entrant.bin)),
      windowFrom: task.window[0],
      windowTo: task.window[1],
      binMinutes: instance.binMinutes,
      hourlyCapacity: hourlyCapacity(instance, task.volume, task.window),
    },
    flightIds,
    components: (terms) => ({ ...pricedTerms(terms, weights) }),
  };
}

function pricedTerms(terms: RateTerms, weights: PublishedWeights): Components {
  return {
    J_cap: terms.exceedance,
    J_delay: weights.lambdaDelay * terms.delayMinutes,
    J_reg: terms.regularity,
    J_tv: terms.smoothness,
    ...(weights.thetaShare > 0 ? { J_share: weights.thetaShare * terms.shareShift } : {}),
    ...(weights.etaSpill > 0 ? { J_spill: weights.etaSpill * terms.spilled } : {}),
  };
}
