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
  /** A flow that was taken out cannot come back, nor one that came in go, within so many actions; 0 allows it. */
  readonly reversalBan: number;
  /** Hotspots offered, worst first. */
  readonly hotspots: number;
}

export const defaultEpisodeOptions: EpisodeOptions = {
  maxRegulations: 12,
  dwellingFactor: 0.1,
  maxRemovals: 1,
  back: false,
  reversalBan: 2,
  hotspots: 16,
};
