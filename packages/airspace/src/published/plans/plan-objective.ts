import { UsageError } from "@coppice/engine/usage-error";
import type { BinWindow, Instance } from "../../instance/instance.ts";
import { BLANKET, type ControlMode } from "../../rate-search/rate-model.ts";
import type { HotspotCandidate } from "../hotspots/inventory.ts";
import { type Entrant, entrantsOf } from "../scoring/controlled-flows.ts";
import { type Score, scoreProfiles, spilled } from "../scoring/published-score.ts";
import type { PublishedWeights } from "../scoring/published-weights.ts";
import { releaseProfile } from "../scoring/release-profile.ts";
import { scoreContext } from "../scoring/score-context.ts";

/** A committed regulation as the published planner writes it. */
export interface PublishedRegulation {
  readonly volume: number;
  readonly window: BinWindow;
  readonly flowIds: readonly string[];
  readonly mode: ControlMode;
  /** Per flow id, or one for all. A flow of the regulation without a rate is held back altogether. */
  readonly rates: number | Readonly<Record<string, number>>;
}

export interface PlanObjective extends Score {
  readonly flowCount: number;
  /** Requests that no bin of the day releases. */
  readonly spilled: number;
  readonly inWindowReleases: number;
}

interface PlannedFlow {
  readonly id: string;
  readonly requests: readonly Entrant[];
  readonly window: BinWindow;
  /** Infinity: not limited; undefined: held back. */
  readonly rate: number | undefined;
}

/**
 * The published plan-domain objective: the plan's own volumes and flows on the original traffic. Values of different
 * plans cover different things and cannot be compared; an empty plan covers every candidate.
 */
export function planDomainObjective(
  instance: Instance,
  candidates: readonly HotspotCandidate[],
  plan: readonly PublishedRegulation[],
  weights?: Partial<PublishedWeights>,
): PlanObjective {
  const controlled =
    plan.length > 0
      ? plan.flatMap((item) => plannedFlows(instance, candidates, item))
      : untouched(instance, candidates);
  const volumes = [...new Set((plan.length > 0 ? plan : candidates).map((item) => item.volume))];
  return objectiveOver(instance, volumes, controlled, weights);
}

/** The published all-volume objective; an empty plan has no flows. */
export function systemObjective(
  instance: Instance,
  candidates: readonly HotspotCandidate[],
  plan: readonly PublishedRegulation[],
  weights?: Partial<PublishedWeights>,
): PlanObjective {
  const volumes = instance.volumeIds.map((_, volume) => volume);
  const controlled = plan.flatMap((item) => plannedFlows(instance, candidates, item));
  return objectiveOver(instance, volumes, controlled, weights);
}

function objectiveOver(
  instance: Instance,
  volumes: readonly number[],
  flows: readonly PlannedFlow[],
  weights: Partial<PublishedWeights> | undefined,
): PlanObjective {
  const context = scoreContext(instance, { flows, volumes, ...(weights === undefined ? {} : { weights }) });
  const plans = context.flows.map((flow, f) => {
    const { rate, window } = flows[f];
    return rate === undefined
      ? new Int32Array(instance.binCount + 1)
      : releaseProfile(flow.demand, rate, window, instance);
  });
  const inWindowReleases = plans.reduce((sum, releases, f) => {
    const [from, to] = flows[f].window;
    return releases.subarray(from, to).reduce((total, count) => total + count, sum);
  }, 0);
  return {
    ...scoreProfiles(context, plans),
    flowCount: flows.length,
    spilled: spilled(plans, instance.binCount),
    inWindowReleases,
  };
}

/** Every candidate's flows, not limited. */
function untouched(instance: Instance, candidates: readonly HotspotCandidate[]): PlannedFlow[] {
  return candidates.flatMap(({ volume, window, flows }) =>
    flows.map((flow) => ({
      id: flowKey(instance, volume, window, flow.id),
      requests: entrantsOf(instance, volume, window, flow.flights),
      window,
      rate: Number.POSITIVE_INFINITY,
    })),
  );
}

function plannedFlows(
  instance: Instance,
  candidates: readonly HotspotCandidate[],
  item: PublishedRegulation,
): PlannedFlow[] {
  const { volume, window, rates } = item;
  const ids = item.mode === "blanket" ? [BLANKET] : item.flowIds;
  const flowOfFlight = flightsOf(instance, candidates, item);
  const requests = new Map<string, Entrant[]>(ids.map((id) => [id, []]));
  for (let flight = 0; flight < instance.flightIds.length; flight++) {
    const flow = flowOfFlight.get(flight);
    if (flow !== undefined) requests.get(flow)?.push(...entrantsOf(instance, volume, window, [flight]));
  }
  return ids.map((id) => ({
    id: flowKey(instance, volume, window, id),
    requests: requests.get(id) ?? [],
    window,
    rate: typeof rates === "number" ? rates : rates[id],
  }));
}

/** Which flow of the regulation a flight belongs to; the last one that lists it. */
function flightsOf(
  instance: Instance,
  candidates: readonly HotspotCandidate[],
  { volume, window, flowIds, mode }: PublishedRegulation,
): Map<number, string> {
  const where = `${instance.volumeIds[volume]} ${window[0]}-${window[1]}`;
  const candidate = candidates.find(
    (known) => known.volume === volume && known.window[0] === window[0] && known.window[1] === window[1],
  );
  if (candidate === undefined)
    throw new UsageError(`regulation ${where}: no hotspot with this volume and window was found`);
  const owner = new Map<number, string>();
  for (const id of flowIds) {
    const flow = candidate.flows.find((known) => known.id === id);
    if (flow === undefined) {
      const known = candidate.flows.map((other) => other.id).join(", ");
      throw new UsageError(`regulation ${where}: no flow ${JSON.stringify(id)}; the hotspot has ${known}`);
    }
    for (const flight of flow.flights) owner.set(flight, mode === "blanket" ? BLANKET : id);
  }
  return owner;
}

function flowKey(instance: Instance, volume: number, window: BinWindow, flow: string): string {
  return `${instance.volumeIds[volume]}:${window[0]}-${window[1]}:${flow}`;
}
