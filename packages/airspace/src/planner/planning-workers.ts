import { CoreBudget } from "@coppice/engine/cores";
import type { PlanningRecord } from "./planning-record.ts";

/** Who searches for a plan: how many searches at once, and for each of them how many workers that score rates. */
export interface PlanningWorkers {
  readonly workers: number;
  readonly rateWorkers: number;
  /** Worth saying to whoever asked. */
  readonly notices: readonly string[];
}

export interface WorkerWish {
  /** Undefined: all cores where walkers search together, otherwise half of them, from 1 to 4. */
  readonly workers: number | undefined;
  readonly together?: boolean;
  /** More than this many have nothing to do. */
  readonly mostUseful: number;
  readonly rateWorkers: number;
  /** Default: those of this machine. */
  readonly cores?: number;
}

/** Divides one budget of cores: searches at once × rate workers of each never exceed it. */
export function planningWorkers(wish: WorkerWish): PlanningWorkers {
  const { workers, together = false, mostUseful, rateWorkers, cores } = wish;
  const budget = new CoreBudget(cores === undefined ? {} : { cores });
  const usual = together ? budget.cores : Math.min(4, Math.max(1, Math.floor(budget.cores / 2)));
  const split = budget.split(workers ?? usual, mostUseful);
  // Cores that do not divide evenly are left over: every search gets the same number of rate workers.
  const share = split.inner[split.inner.length - 1];
  const inner = rateWorkers === 0 ? { workers: 0, notice: undefined } : share.grant(rateWorkers);
  const notices = [
    ...(split.notice === undefined ? [] : [`--num-workers-root: ${split.notice}`]),
    ...(inner.notice === undefined ? [] : [`--num-workers-rf: ${inner.notice}`]),
  ];
  return { workers: split.workers, rateWorkers: inner.workers, notices };
}

/** Workers beyond this many would have nothing to do: of a walker one segment is out, a root is one task, a commit another. */
export function mostUsefulWorkers({ roots = 1, population, robust, front, commits, outer }: PlanningRecord): number {
  if (population !== undefined) return population.walkers * (front?.length ?? (robust === undefined ? 1 : 2));
  return commits === undefined
    ? roots * (outer === undefined ? 1 : (outer.runs ?? Number.POSITIVE_INFINITY))
    : Number.POSITIVE_INFINITY;
}
