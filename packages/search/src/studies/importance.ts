import { isTold, type Trial } from "../samplers/trial.ts";

/** Most groups that a number's values are put into. */
const GROUPS = 8;

/**
 * How much each parameter matters: the share of the variance of the first objective's ranks that lies between groups of the
 * parameter's values (the correlation ratio η², less what chance would give). Ranks, because one terrible trial would
 * otherwise decide everything. What two parameters do only together is not seen.
 */
export function importances(trials: readonly Trial[], dimensions: number): readonly number[] {
  const told = trials.filter(isTold);
  const ranks = ranksOf(told.map(({ values }) => values[0]));
  return Array.from({ length: dimensions }, (_, d) => {
    const own = told.flatMap(({ point, place }, i) =>
      point[d] === undefined ? [] : [{ at: place[d], rank: ranks[i] }],
    );
    return correlationRatio(own);
  });
}

function correlationRatio(pairs: readonly { readonly at: number; readonly rank: number }[]): number {
  const sorted = pairs.toSorted((a, b) => a.at - b.at);
  const distinct = new Set(sorted.map(({ at }) => at)).size;
  if (distinct < 2 || pairs.length < 4) return 0;
  const groups = Map.groupBy(sorted.entries(), ([i, { at }]) =>
    distinct <= GROUPS ? at : Math.floor((i * GROUPS) / sorted.length),
  );
  const mean = sorted.reduce((sum, { rank }) => sum + rank, 0) / sorted.length;
  const whole = sorted.reduce((sum, { rank }) => sum + (rank - mean) ** 2, 0);
  if (whole === 0) return 0;
  let between = 0;
  for (const members of groups.values()) {
    const own = members.reduce((sum, [, { rank }]) => sum + rank, 0) / members.length;
    between += members.length * (own - mean) ** 2;
  }
  const share = between / whole;
  const free = sorted.length - groups.size;
  return free <= 0 ? 0 : Math.max(0, 1 - ((1 - share) * (sorted.length - 1)) / free);
}

/** Ranks from 0; equal values share their mean. */
function ranksOf(values: readonly number[]): readonly number[] {
  const order = values.map((_, i) => i).toSorted((a, b) => values[a] - values[b]);
  const ranks = new Array<number>(values.length);
  for (let i = 0; i < order.length; ) {
    let end = i;
    while (end + 1 < order.length && values[order[end + 1]] === values[order[i]]) end++;
    for (let k = i; k <= end; k++) ranks[order[k]] = (i + end) / 2;
    i = end + 1;
  }
  return ranks;
}
