import { timed } from "@coppice/engine/evaluator";
import { type Instance, wholeCapacity } from "../../instance/instance.ts";
import { type Attention, exceedancePrices, type ProfilePrices, profilePrices } from "./class-weights.ts";
import type { Entrant } from "./controlled-flows.ts";
import { addOccupancy } from "./occupancy.ts";
import { type PublishedWeights, publishedWeights } from "./published-weights.ts";
import { demandPerBin } from "./release-profile.ts";

/** What a score covers. */
export interface ScoreRequest {
  readonly flows: readonly { readonly id: string; readonly requests: readonly Entrant[] }[];
  /** Volumes whose exceedance counts. */
  readonly volumes: readonly number[];
  readonly attention?: Attention;
  readonly weights?: Partial<PublishedWeights>;
  /**
   * Whether a flight with several requests moves as often as it is requested ("each", as the published planner's
   * reusable context counts, so that counts can become negative) or once ("once", as its plain scorer does).
   */
  readonly repeats?: "each" | "once";
}

/** A flow whose profile is to be scored. */
export interface ScoredFlow extends ProfilePrices {
  readonly id: string;
  readonly requests: readonly Entrant[];
  readonly demand: Int32Array;
}

interface ScoredVolume {
  readonly volume: number;
  /** Flights per rolling hour for each bin; 0 where the day has no figure. */
  readonly capacity: Float32Array;
  readonly alpha: Float32Array;
  /** Flights per bin, nobody delayed. */
  readonly baseAll: Int32Array;
  /** The scheduled flights' part of it, with repeats. */
  readonly baseScheduled: Int32Array;
}

/** Everything about a score that does not depend on the release profiles. */
export interface ScoreContext {
  readonly instance: Instance;
  readonly weights: PublishedWeights;
  readonly flows: readonly ScoredFlow[];
  readonly volumes: readonly ScoredVolume[];
  /** Flights of all requests, flow by flow. */
  readonly scheduled: readonly number[];
}

const noAttention: Attention = { targets: [], ripples: [] };

/** Prepares the score of release profiles for these flows. */
export function scoreContext(instance: Instance, request: ScoreRequest): ScoreContext {
  const weights = { ...publishedWeights, ...request.weights };
  const attention = request.attention ?? noAttention;
  const asked = request.flows.flatMap((flow) => flow.requests.map((entrant) => entrant.flight));
  const scheduled = request.repeats === "once" ? [...new Set(asked)] : asked;
  const everyone = instance.flightIds.map((_, flight) => flight);
  return {
    instance,
    weights,
    scheduled,
    flows: request.flows.map(({ id, requests }) => ({
      id,
      requests,
      demand: demandPerBin(requests, instance),
      ...profilePrices(instance, requests, attention, weights),
    })),
    volumes: request.volumes.map((volume) => ({
      volume,
      capacity: timed("rate_finder.build_capacities", () => publishedCapacity(instance, volume)),
      alpha: exceedancePrices(volume, attention, weights, instance.binCount),
      baseAll: addOccupancy(instance, volume, everyone),
      baseScheduled: addOccupancy(instance, volume, scheduled),
    })),
  };
}

/** Capacity per bin as the published objective reads it: whole flights, and 0 where nothing is known. */
function publishedCapacity(instance: Instance, volume: number): Float32Array {
  const first = volume * instance.binCount;
  return Float32Array.from(instance.capacity.subarray(first, first + instance.binCount), (perHour) =>
    Number.isFinite(perHour) ? wholeCapacity(perHour) : 0,
  );
}
