import { CoreBudget, UsageError } from "@coppice/engine";

/** Where an option's value comes from; undefined if it has none. */
export type Source = "cli" | "env" | "default" | undefined;

/** An option that a tool has under its own name beside one that every command has. */
export interface TwoNames<Value> {
  readonly own: { readonly flag: string; readonly value: Value | undefined; readonly source: Source };
  readonly common: { readonly flag: string; readonly value: Value | undefined; readonly source: Source };
}

/**
 * The value that counts: what was typed beats the environment, and of two from the same place the tool's own name beats
 * the common one. Two that were typed and say different things contradict each other.
 */
export function strongest<Value>({ own, common }: TwoNames<Value>): Value | undefined {
  if (own.source === "cli" && common.source === "cli" && own.value !== common.value) {
    throw new UsageError(
      `${own.flag} ${String(own.value)} and ${common.flag} ${String(common.value)} contradict each other: give one`,
    );
  }
  for (const source of ["cli", "env"] as const) {
    for (const option of [own, common]) if (option.source === source) return option.value;
  }
  return undefined;
}

/** Who plans: how many searches at once, and for each of them how many workers that score rates. */
export interface PlanCrew {
  readonly workers: number;
  readonly rateWorkers: number;
  /** Worth saying to whoever asked. */
  readonly notices: readonly string[];
}

export interface CrewWish {
  /** Undefined: half of the cores, from 1 to 4. */
  readonly workers: number | undefined;
  /** More than this many have nothing to do. */
  readonly mostUseful: number;
  readonly rateWorkers: number;
  /** Default: those of this machine. */
  readonly cores?: number;
}

/** Divides one budget of cores: searches at once × rate workers of each never exceed it. */
export function planCrew({ workers, mostUseful, rateWorkers, cores }: CrewWish): PlanCrew {
  const budget = new CoreBudget(cores === undefined ? {} : { cores });
  const usual = Math.min(4, Math.max(1, Math.floor(budget.cores / 2)));
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
