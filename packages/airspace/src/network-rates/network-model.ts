import { timed } from "@coppice/engine/evaluator";
import { UsageError } from "@coppice/engine/usage-error";
import type { BinWindow, Instance } from "../instance/instance.ts";
import { flowSet, type Plan } from "../network/regulation.ts";
import { defaultWeights, type Weights } from "../network/weights.ts";
import { hourlyCapacity } from "../rate-search/adaptive-grid.ts";
import type { RateTerms } from "../rate-search/rate-kernel.ts";
import { BLANKET, type ControlMode, type RateModel, type RateModelSource } from "../rate-search/rate-model.ts";
import { NetworkDay, type Requests } from "./network-day.ts";
import { networkTables } from "./network-tables.ts";

/** A regulation to find rates for, after the regulations of a plan. */
export interface NetworkTask {
  readonly volume: number;
  readonly window: BinWindow;
  /** Flows of the volume by number. */
  readonly flows: readonly number[];
  readonly mode: ControlMode;
  /** Default: the empty plan. */
  readonly plan?: Plan;
}

/** Models with the network's semantics: slots instead of bin quotas, and the objective that plans are scored with. */
export function networkModels(instance: Instance, weights: Weights = defaultWeights): RateModelSource<NetworkTask> {
  const day = new NetworkDay(instance, weights);
  return {
    flowCount: (task) => task.flows.length,
    key: ({ plan = emptyPlan, volume, window, mode, flows }) =>
      JSON.stringify([plan, volume, window, mode, flows.toSorted((a, b) => a - b)]),
    model: (task) => timed("rate_finder.build_score_context", () => modelOf(day, task)),
  };
}

const emptyPlan: Plan = [];

/** Says what of a task does not fit the day. */
function checkTask(
  { binCount, flowNames, volumeIds }: Instance,
  { volume, window: [from, to], flows }: NetworkTask,
): void {
  const place = `${volumeIds[volume] ?? `volume ${volume}`}, bins ${from}-${to}`;
  if (flowNames[volume] === undefined) throw new UsageError(`${place}: there are ${volumeIds.length} volumes`);
  if (!(from >= 0 && from < to && to <= binCount)) {
    throw new UsageError(`${place}: a window must not be empty and must lie in bins 0 to ${binCount}`);
  }
  const known = flowNames[volume].length;
  const unknown = flows.find((flow) => !(Number.isInteger(flow) && flow >= 0 && flow < known));
  if (unknown !== undefined)
    throw new UsageError(`${place}: no flow ${unknown}; the volume has flows 0 to ${known - 1}`);
  if (new Set(flows).size < flows.length) throw new UsageError(`${place}: a flow is listed twice`);
}

function modelOf(day: NetworkDay, task: NetworkTask): RateModel {
  const { instance, weights } = day;
  checkTask(instance, task);
  const { volume, window, flows, mode, plan = emptyPlan } = task;
  const apart = flows.map((flow) => flowSet([flow]));
  const control = { volume, fromBin: window[0], toBin: window[1], plan };
  const { tables, flights } = networkTables(day, {
    ...control,
    flowSets: mode === "blanket" ? [flowSet(flows)] : apart,
  });
  const names = flows.map((flow) => instance.flowNames[volume][flow]);
  const entryBins = timed("rate_finder.compute_entrants", () => {
    const { delayMinutes } = day.after(plan);
    return apart.map((set) => binsOf(day.requests({ ...control, flows: set }, delayMinutes), instance));
  });
  return {
    tables,
    flowIds: mode === "blanket" ? [BLANKET] : names,
    entrants: Array.from({ length: tables.flowCount }, (_, f) => tables.requestOffset[f + 1] - tables.requestOffset[f]),
    entrantsByFlow: new Map(names.map((name, f) => [name, entryBins[f].length])),
    gridDemand: {
      entryBins,
      windowFrom: window[0],
      windowTo: window[1],
      binMinutes: instance.binMinutes,
      hourlyCapacity: hourlyCapacity(instance, volume, window),
    },
    flightIds: [...flights].map((flight) => instance.flightIds[flight]),
    components: (terms) => pricedTerms(terms, weights),
  };
}

function binsOf({ minute }: Requests, { binMinutes }: Instance): number[] {
  const bins: number[] = [];
  for (let i = 0; i < minute.length; i++) bins.push(Math.floor(minute[i] / binMinutes));
  return bins;
}

function pricedTerms(terms: RateTerms, weights: Weights): Readonly<Record<string, number>> {
  return {
    exceedance: weights.exceedance * terms.exceedance,
    delay: weights.delayMinute * terms.delayMinutes,
    regulations: weights.regulation * terms.entries,
    ...(weights.regularity > 0 ? { regularity: weights.regularity * terms.regularity } : {}),
    ...(weights.smoothness > 0 ? { smoothness: weights.smoothness * terms.smoothness } : {}),
    ...(weights.share > 0 ? { share: weights.share * terms.shareShift } : {}),
  };
}
