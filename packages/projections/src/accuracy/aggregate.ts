import { POSITIONS, type Position } from "../seasons/season.ts";
import type { Accuracy, AggregateAccuracy, GroupRanking, HorizonAccuracy, RankingAccuracy } from "./accuracy.ts";

/** What one season contributes to a horizon, before any averaging. */
export interface SeasonTally {
  readonly name: string;
  readonly totalError: number;
  readonly playerCount: number;
  readonly weeksEvaluated: number;
  readonly weeksRequested: number;
  /** One entry per week and position, weeks ascending; undefined when only the error was asked for. */
  readonly groups: readonly GroupRanking[] | undefined;
}

const PLAIN = [
  ["pairwise_accuracy", "pairwise"],
  ["top_5_accuracy", "top5"],
  ["top_10_accuracy", "top10"],
  ["top_20_accuracy", "top20"],
] as const;

/** Averages weeks into seasons and seasons into a horizon. */
export function aggregateHorizon(tallies: readonly SeasonTally[]): HorizonAccuracy {
  const seasons = Object.fromEntries(tallies.map((tally) => [tally.name, seasonAccuracy(tally)]));
  return { aggregate: acrossSeasons(tallies, seasons), seasons };
}

function seasonAccuracy(tally: SeasonTally): Accuracy {
  const error = {
    mae: tally.playerCount === 0 ? 0 : tally.totalError / tally.playerCount,
    player_count: tally.playerCount,
    total_error: tally.totalError,
    weeks_evaluated: tally.weeksEvaluated,
    weeks_requested: tally.weeksRequested,
  };
  if (tally.groups === undefined) return error;
  const groups = tally.groups;
  const byPosition: Partial<Record<Position, RankingAccuracy>> = {};
  for (const position of POSITIONS) {
    const own = groups.filter((group) => group.position === position);
    const ranking = rankingOf(
      (key) => plainMean(own.map((group) => group[key])),
      fisherMean(own.map((group) => group.spearman)),
    );
    if (Object.values(ranking).some((value) => value !== null)) byPosition[position] = ranking;
  }
  const overall = rankingOf(
    (_, name) => meanOfDefined(Object.values(byPosition).map((ranking) => ranking[name])),
    // All positions and weeks at once, position by position; not the mean of the positions' own means.
    fisherMean(POSITIONS.flatMap((p) => groups.filter((g) => g.position === p).map((g) => g.spearman))),
  );
  return { ...error, overall, by_position: byPosition };
}

function acrossSeasons(
  tallies: readonly SeasonTally[],
  seasons: Readonly<Record<string, Accuracy>>,
): AggregateAccuracy {
  const total = (of: (tally: SeasonTally) => number) => tallies.reduce((sum, tally) => sum + of(tally), 0);
  const totalError = total((t) => t.totalError);
  const playerCount = total((t) => t.playerCount);
  const error = {
    mae: playerCount === 0 ? 0 : totalError / playerCount,
    player_count: playerCount,
    total_error: totalError,
    weeks_evaluated: total((t) => t.weeksEvaluated),
    weeks_requested: total((t) => t.weeksRequested),
  };
  if (tallies.some((tally) => tally.groups === undefined)) return error;
  const all = tallies.map((tally) => seasons[tally.name]);
  const byPosition: Partial<Record<Position, RankingAccuracy>> = {};
  for (const position of POSITIONS) {
    const found = all.flatMap((season) => season?.by_position?.[position] ?? []);
    if (found.length > 0) byPosition[position] = meanRanking(found);
  }
  return {
    ...error,
    overall: meanRanking(all.flatMap((season) => season?.overall ?? [])),
    by_position: byPosition,
    per_season_pairwise: Object.fromEntries(
      tallies.map((tally, i) => [tally.name, all[i]?.overall?.pairwise_accuracy ?? null]),
    ),
  };
}

function meanRanking(rankings: readonly RankingAccuracy[]): RankingAccuracy {
  return rankingOf(
    (_, name) => meanOfDefined(rankings.map((ranking) => ranking[name])),
    fisherMean(rankings.map((ranking) => ranking.spearman_correlation ?? Number.NaN)),
  );
}

function rankingOf(
  mean: (group: (typeof PLAIN)[number][1], name: (typeof PLAIN)[number][0]) => number | null,
  spearman: number | null,
): RankingAccuracy {
  const [pairwise, top5, top10, top20] = PLAIN.map(([name, group]) => mean(group, name));
  return {
    pairwise_accuracy: pairwise ?? null,
    top_5_accuracy: top5 ?? null,
    top_10_accuracy: top10 ?? null,
    top_20_accuracy: top20 ?? null,
    spearman_correlation: spearman,
  };
}

function meanOfDefined(values: readonly (number | null)[]): number | null {
  return plainMean(values.map((value) => value ?? Number.NaN));
}

/** Mean of the values that are numbers, summed left to right; null when there is none. */
function plainMean(values: readonly number[]): number | null {
  let sum = 0;
  let count = 0;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    sum += value;
    count++;
  }
  return count === 0 ? null : sum / count;
}

const EDGE = 1 - 1e-6;

/** Mean correlation by Fisher's z: tanh(mean(atanh(r))), r kept off ±1 so that a perfect week is not infinite. */
function fisherMean(correlations: readonly number[]): number | null {
  const mean = plainMean(correlations.map((r) => Math.atanh(Math.min(EDGE, Math.max(-EDGE, r)))));
  return mean === null ? null : Math.tanh(mean);
}
