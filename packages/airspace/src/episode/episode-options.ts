import { UsageError } from "@coppice/engine/usage-error";
import type { PriorNoise } from "@coppice/search";

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
  /** Whether an episode may end by itself before it is full. */
  readonly stop: boolean;
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
  reversalBan: 2,
  hotspots: 16,
  stop: true,
  temperature: { hotspot: 1, flow: 1, other: 1 },
  noise: { hotspot: { share: 0.3, concentration: 0.4 }, flow: { share: 0.3, concentration: 0.4 } },
};

/** Says what is wrong with the options, by throwing. */
export function checkEpisodeOptions(options: EpisodeOptions): void {
  atLeast("max regulations", options.maxRegulations, 1);
  atLeast("max actions", options.maxActions ?? 1, 1);
  atLeast("dwelling factor", options.dwellingFactor, 0);
  atLeast("max removals", options.maxRemovals, 0);
  atLeast("hotspots", options.hotspots, 1);
  for (const [name, value] of Object.entries(options.temperature)) {
    if (!(value > 0)) throw new UsageError(`${name} temperature: ${value}; it must be above 0`);
  }
  for (const [name, { share, concentration }] of Object.entries(options.noise)) {
    if (!(share >= 0 && share <= 1)) throw new UsageError(`${name} noise: a share of ${share}; it must be 0 to 1`);
    if (!(concentration > 0)) throw new UsageError(`${name} noise: concentration must be above 0`);
  }
}

function atLeast(name: string, value: number, least: number): void {
  if (!(value >= least)) throw new UsageError(`${name}: ${value}; it must be at least ${least}`);
}
