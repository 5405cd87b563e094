import type { PlannerOptions } from "./planner-options.ts";

/** What one of the independent searches is told. */
export interface RootTask extends PlannerOptions {
  /**
   * Whole plannings are repeated with other seeds; this one is the first, second, …. The first root of a further run may
   * find that its time is over, and then none of that run counts; the others do not look at the clock.
   */
  readonly outer?: { readonly run: number; readonly unlessAfterMs?: number };
}

/** How often the whole planning is repeated with other seeds; the best plan of all is taken. */
export interface OuterRuns {
  /** `Infinity` repeats it until the time is over. */
  readonly runs: number;
  /** No further one begins after this time (D4); one that has begun is finished with all its roots. */
  readonly timeMs?: number | undefined;
}

/** How a limit in time is shared by roots: each gets all of it, or an equal part. */
export type TimeSplit = "full" | "share";

/** Seeds of neighbouring roots are this far apart. */
export const SEED_STEP = 10_000;

/** The part of a whole number that falls to one of several; the parts add up to it. */
export function partOf(whole: number, of: number, index: number): number {
  return Math.floor(whole / of) + (index < whole % of ? 1 : 0);
}

/**
 * The k-th of the searches: `roots` per outer run, which share its evaluations, with seeds `seed + run + 10,000 × root`.
 */
export function rootTask(options: PlannerOptions, roots: number, outer: OuterRuns, index: number): RootTask {
  const root = index % roots;
  const run = Math.floor(index / roots);
  const mayBeLate = run > 0 && root === 0 && outer.timeMs !== undefined;
  return {
    ...options,
    seed: options.seed + run + SEED_STEP * root,
    evaluations: partOf(options.evaluations, roots, root),
    ...(outer.runs === 1 ? {} : { outer: { run, ...(mayBeLate ? { unlessAfterMs: outer.timeMs } : {}) } }),
  };
}
