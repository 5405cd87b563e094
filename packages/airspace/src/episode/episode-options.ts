import { UsageError } from "@coppice/engine/usage-error";
import type { MctsOptions, PriorNoise } from "@coppice/search";

/** Where an episode may end before it is full: in every state, between regulations once there is one, or nowhere. */
export const stopPlaces = ["anywhere", "committed", "never"] as const;

/**
 * What makes actions likely: the excess of hotspots and the flights of flows, or, of whole regulations that the default
 * policy's sampler draws, what the plan with each of them would cost.
 */
export const episodePriors = ["counts", "sampled"] as const;

/** How the single-episode planner plays; published names in brackets. */
export interface EpisodeOptions {
  /** An episode ends with this many regulations (max_regulations_in_plan). */
  readonly maxRegulations: number;
  /** An episode ends after this many actions (max_episode_actions); none when absent. */
  readonly maxActions?: number;
  /** Flights of the chosen flows must reach this many times the capacity before they can be regulated (entrances_to_occupancy_dwelling_factor). */
  readonly dwellingFactor: number;
  /** Flows that may be taken out again per regulation (max_removals_per_reg). */
  readonly maxRemovals: number;
  /** Whether a hotspot may be given up once it was picked. */
  readonly back: boolean;
  /** A flow that was taken out cannot come back, nor one that came in go, within this many actions; 0 allows it. */
  readonly reversalBan: number;
  /** Hotspots offered, worst first. */
  readonly hotspots: number;
  readonly stop: (typeof stopPlaces)[number];
  readonly priors: (typeof episodePriors)[number];
  /** Weight of priors and visits against values. */
  readonly exploration: number;
  /** A node with N visits opens `base + factor × N^exponent` actions. */
  readonly widening: NonNullable<MctsOptions["widening"]>;
  /** Noise in the priors of the root; a share of 0 is none. */
  readonly rootNoise: PriorNoise;
  /** Weight of potential-based shaping, from 0 to 0.1 (phi); no value is changed by it. */
  readonly phi: number;
  /** Logits of a class of actions are divided by this: above 1 makes its actions more alike. */
  readonly temperature: { readonly hotspot: number; readonly flow: number; readonly other: number };
  /** Noise in the priors where a hotspot is picked, and where flows can be added; a share of 0 is none. */
  readonly noise: { readonly hotspot: PriorNoise; readonly flow: PriorNoise };
}

export const defaultEpisodeOptions: EpisodeOptions = {
  maxRegulations: 12,
  dwellingFactor: 0.1,
  maxRemovals: 1,
  back: false,
  reversalBan: 0,
  hotspots: 16,
  stop: "committed",
  priors: "counts",
  exploration: 0.1,
  widening: { base: 4, factor: 1, exponent: 0.7 },
  rootNoise: { share: 0.25, concentration: 0.3 },
  phi: 0,
  temperature: { hotspot: 1, flow: 1, other: 1 },
  noise: { hotspot: { share: 0.3, concentration: 0.4 }, flow: { share: 0.3, concentration: 0.4 } },
};

/** Sampled regulations take one action each, so that there is room for more of them. */
const SAMPLED_REGULATIONS = 40;

/** All options of an episode, where only some were chosen. */
export function episodeOptions(chosen: Partial<EpisodeOptions> = {}): EpisodeOptions {
  const sampled = chosen.priors === "sampled" ? { maxRegulations: SAMPLED_REGULATIONS, exploration: 1 } : {};
  return { ...defaultEpisodeOptions, ...sampled, ...chosen };
}

/** Says what is wrong with the options, by throwing. */
export function checkEpisodeOptions(options: EpisodeOptions): void {
  atLeast("max regulations", options.maxRegulations, 1);
  atLeast("max actions", options.maxActions ?? 1, 1);
  atLeast("dwelling factor", options.dwellingFactor, 0);
  atLeast("max removals", options.maxRemovals, 0);
  atLeast("hotspots", options.hotspots, 1);
  atLeast("reversal ban", options.reversalBan, 0);
  atLeast("exploration", options.exploration, 0);
  for (const [name, value] of Object.entries(options.widening)) atLeast(`widening ${name}`, value, 0);
  if (!(options.phi >= 0 && options.phi <= 0.1)) throw new UsageError(`phi: ${options.phi}; it must be 0 to 0.1`);
  for (const [name, value] of Object.entries(options.temperature)) {
    if (!(value > 0)) throw new UsageError(`${name} temperature: ${value}; it must be above 0`);
  }
  for (const [name, { share, concentration }] of Object.entries({ ...options.noise, root: options.rootNoise })) {
    if (!(share >= 0 && share <= 1)) throw new UsageError(`${name} noise: a share of ${share}; it must be 0 to 1`);
    if (!(concentration > 0)) throw new UsageError(`${name} noise: concentration must be above 0`);
  }
}

function atLeast(name: string, value: number, least: number): void {
  if (!(value >= least)) throw new UsageError(`${name}: ${value}; it must be at least ${least}`);
}
