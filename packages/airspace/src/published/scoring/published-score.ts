import { binsPerHour, type Instance } from "../../instance/instance.ts";
import type { Entrant } from "./controlled-flows.ts";
import { addOccupancy, rollingHour } from "./occupancy.ts";
import { type Release, scheduleFlows } from "./scheduler.ts";
import type { ScoreContext, ScoredFlow } from "./score-context.ts";
import type { Spill } from "./spill.ts";

/** The published objective's terms; `J_share` and `J_spill` exist only when they have a price. */
export interface Components {
  readonly J_cap: number;
  readonly J_delay: number;
  readonly J_reg: number;
  readonly J_tv: number;
  readonly J_share?: number;
  readonly J_spill?: number;
}

export interface Score {
  readonly objective: number;
  readonly components: Components;
  /** By flight id, in the order flights were first released. Seconds count from the instance's start. */
  readonly releases: ReadonlyMap<string, Release>;
  /** Flights per bin of each volume in scope. */
  readonly occupancy: readonly Int32Array[];
}

/**
 * Scores one release profile per flow (bins, then the overflow slot) against a context. The obvious way, from scratch:
 * the rate kernel must agree with it exactly.
 */
export function scoreProfiles(
  context: ScoreContext,
  profiles: readonly ArrayLike<number>[],
  spill: Spill = { mode: "dump_to_next_bin" },
): Score {
  const { instance, weights, flows } = context;
  const queues = flows.map((flow, f) => ({
    flow: flow.id,
    requests: flow.requests.map((entrant) => flowRequest(instance, entrant)),
    profile: profiles[f],
  }));
  const releases = scheduleFlows(queues, instance, spill);
  const delayOf = (flight: number) => releases.get(instance.flightIds[flight])?.delayMinutes ?? 0;

  let capacity = 0;
  const occupancy = context.volumes.map((scoped) => {
    const counts = addOccupancy(instance, scoped.volume, context.scheduled, delayOf);
    for (let t = 0; t < counts.length; t++) counts[t] += scoped.baseAll[t] - scoped.baseScheduled[t];
    const rolling = rollingHour(counts, binsPerHour(instance));
    for (let t = 0; t < counts.length; t++) {
      capacity += scoped.alpha[t] * Math.max(0, rolling[t] - scoped.capacity[t]);
    }
    return counts;
  });

  let delayMinutes = 0;
  for (const release of releases.values()) delayMinutes += release.delayMinutes;
  let regularity = 0;
  let smoothness = 0;
  flows.forEach((flow, f) => {
    regularity += regularityOf(flow, profiles[f], weights.betaContext);
    smoothness += smoothnessOf(flow, profiles[f], weights.gammaContext);
  });
  const components: Components = {
    J_cap: capacity,
    J_delay: weights.lambdaDelay * delayMinutes,
    J_reg: regularity,
    J_tv: smoothness,
    ...(weights.thetaShare > 0 ? { J_share: weights.thetaShare * shareShift(flows, profiles, instance.binCount) } : {}),
    ...(weights.etaSpill > 0 ? { J_spill: weights.etaSpill * spilled(profiles, instance.binCount) } : {}),
  };
  return { objective: objectiveOf(components), components, releases, occupancy };
}

/** Sum of the terms in the published order, so that sums agree to the last bit. */
function objectiveOf(components: Components): number {
  const { J_cap, J_delay, J_reg, J_tv, J_share = 0, J_spill = 0 } = components;
  return J_cap + J_delay + J_reg + J_tv + J_share + J_spill;
}

/** A request as the scheduler reads it; with a time, the file bin is not used. */
export function flowRequest(instance: Instance, entrant: Entrant): { flight: string; second: number } {
  return { flight: instance.flightIds[entrant.flight], second: entrant.second };
}

/** Σ β·|profile - demand|; the overflow slot at the context price. */
function regularityOf(flow: ScoredFlow, profile: ArrayLike<number>, betaContext: number): number {
  const last = flow.beta.length;
  let sum = 0;
  for (let t = 0; t < last; t++) sum += flow.beta[t] * Math.abs(profile[t] - flow.demand[t]);
  return sum + betaContext * Math.abs(profile[last] - flow.demand[last]);
}

/** Σ γ·|profile[t + 1] - profile[t]| at the price of the left bin; the edge to the overflow slot is charged once more. */
function smoothnessOf(flow: ScoredFlow, profile: ArrayLike<number>, gammaContext: number): number {
  const last = flow.gamma.length;
  let sum = 0;
  for (let t = 0; t < last; t++) sum += flow.gamma[t] * Math.abs(profile[t + 1] - profile[t]);
  return sum + gammaContext * Math.abs(profile[last] - profile[last - 1]);
}

/** Half the sum over bins and flows of |share of releases - share of demand|. */
function shareShift(
  flows: readonly { readonly demand: ArrayLike<number> }[],
  profiles: readonly ArrayLike<number>[],
  binCount: number,
): number {
  let shift = 0;
  for (let t = 0; t < binCount; t++) {
    let released = 0;
    let demanded = 0;
    for (let f = 0; f < flows.length; f++) {
      released += profiles[f][t];
      demanded += flows[f].demand[t];
    }
    let sum = 0;
    for (let f = 0; f < flows.length; f++) {
      sum += Math.abs(profiles[f][t] / Math.max(1, released) - flows[f].demand[t] / Math.max(1, demanded));
    }
    shift += 0.5 * sum;
  }
  return shift;
}

/** Requests that no bin of the day releases. */
export function spilled(profiles: readonly ArrayLike<number>[], binCount: number): number {
  return profiles.reduce((sum, profile) => sum + profile[binCount], 0);
}
