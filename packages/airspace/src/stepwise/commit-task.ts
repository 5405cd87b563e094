import type { EpisodeOptions } from "../episode/episode-options.ts";
import type { Measure, Plan } from "../network/regulation.ts";
import type { OuterRuns } from "../planner/root-search.ts";

/** Regulations to be committed after a plan: their rates are found, one after the other. */
export interface CommitTask {
  readonly before: Plan;
  readonly measures: readonly Measure[];
  /** Set where a further outer run begins: it does not, if this time is over. */
  readonly unlessAfterMs?: number;
}

/** What a commit costs with the best rates found for it. */
export interface Commit {
  /** A line per rate; none if no rate helps. */
  readonly lines: Plan;
  /** Of the whole plan, lines before included. */
  readonly objective: number;
  readonly evaluations: number;
  /** It would not have been evaluated, had the clock been further on. */
  readonly begunInTime?: true;
}

export type CommitValue = Commit | { readonly skipped: true };

/** How plans are searched with exact rates: leaves are commits, evaluated by the rate finder. */
export interface CommitOptions {
  /** `stepwise` searches one regulation, applies it and searches the next; `episode` searches whole plans at once. */
  readonly mode: "stepwise" | "episode";
  readonly seed: number;
  /** Objectives that may be computed, by rate searches and by the tree. */
  readonly evaluations: number;
  /** Independent trees per round. */
  readonly roots: number;
  readonly episode: EpisodeOptions;
  /** Commits out at once per tree: 1 waits for each commit, more evaluates them asynchronously. */
  readonly window: number;
  /** Hotspots that are searched at the same time, of which one regulation is applied; 1 lets the tree pick. */
  readonly hotspotsAtOnce: number;
  /** Commits evaluated per round, over all trees. */
  readonly commitsPerRound: number;
  readonly outer: OuterRuns;
}

/** The part of it that is about commits. */
export type CommitRules = Pick<CommitOptions, "mode" | "window" | "hotspotsAtOnce" | "commitsPerRound">;
