import type { Measure } from "../episode/episode-state.ts";
import type { Plan } from "../network/regulation.ts";

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
