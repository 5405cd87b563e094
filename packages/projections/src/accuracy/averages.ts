import { POSITIONS, type Position } from "../seasons/season.ts";
import type {
  Accuracy,
  AggregateAccuracy,
  ErrorAccuracy,
  GroupRanking,
  HorizonAccuracy,
  RankingAccuracy,
} from "./accuracy.ts";

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

/** Averages weeks into seasons and seasons into a horizon. */
export function aggregateHorizon(tallies: readonly SeasonTally[]): HorizonAccuracy {
  // A season in which nobody was judged has no accuracy.
  const judged = tallies.filter(({ playerCount }) => playerCount > 0);
  const seasons = Object.fromEntries(judged.map((tally) => [tally.name, seasonAccuracy(tally)]));
  return { aggregate: acrossSeasons(tallies, seasons), seasons };
}

function seasonAccuracy(tally: SeasonTally): Accuracy {
  const error = errorAccuracy([tally]);
  if (tally.groups === undefined) return error;
  const byPosition: Partial<Record<Position, RankingAccuracy>> = {};
  for (const position of POSITIONS) {
    const ranking = meanOfWeeks(tally.groups, position);
    if (Object.values(ranking).some((value) => value !== null)) byPosition[position] = ranking;
  }
  const overall = {
    ...meanOfMeans(Object.values(byPosition)),
    // Not the mean of the positions' own means.
    spearman_correlation: meanCorrelation(tally.groups),
  };
  return { ...error, overall, by_position: byPosition };
}

function acrossSeasons(
  tallies: readonly SeasonTally[],
  seasons: Readonly<Record<string, Accuracy>>,
): AggregateAccuracy {
  const error = errorAccuracy(tallies);
  if (tallies.some((tally) => tally.groups === undefined)) return error;
  const all = tallies.map((tally) => seasons[tally.name]);
  const byPosition: Partial<Record<Position, RankingAccuracy>> = {};
  for (const position of POSITIONS) {
    const found = all.flatMap((season) => season?.by_position?.[position] ?? []);
    if (found.length > 0) byPosition[position] = meanOfMeans(found);
  }
  return {
    ...error,
    overall: meanOfMeans(all.flatMap((season) => season?.overall ?? [])),
    by_position: byPosition,
    per_season_pairwise: Object.fromEntries(
      tallies.map((tally, i) => [tally.name, all[i]?.overall?.pairwise_accuracy ?? null]),
    ),
  };
}

/** Seasons weigh as much as they have players. */
function errorAccuracy(tallies: readonly SeasonTally[]): ErrorAccuracy {
  const total = (of: (tally: SeasonTally) => number) => tallies.reduce((sum, tally) => sum + of(tally), 0);
  const totalError = total((tally) => tally.totalError);
  const playerCount = total((tally) => tally.playerCount);
  return {
    mae: playerCount === 0 ? 0 : totalError / playerCount,
    player_count: playerCount,
    total_error: totalError,
    weeks_evaluated: total((tally) => tally.weeksEvaluated),
    weeks_requested: total((tally) => tally.weeksRequested),
  };
}

/** A position's weeks, averaged. Hot: sums in variables, in week order, because thousands of weeks are averaged per configuration. */
function meanOfWeeks(groups: readonly GroupRanking[], position: Position): RankingAccuracy {
  let [pairwise, top5, top10, top20, z] = [0, 0, 0, 0, 0];
  let [pairwiseCount, top5Count, top10Count, top20Count, zCount] = [0, 0, 0, 0, 0];
  for (let i = 0; i < groups.length; i++) {
    const group = groups[i];
    if (group.position !== position) continue;
    if (!Number.isNaN(group.pairwise)) {
      pairwise += group.pairwise;
      pairwiseCount++;
    }
    if (!Number.isNaN(group.top5)) {
      top5 += group.top5;
      top5Count++;
    }
    if (!Number.isNaN(group.top10)) {
      top10 += group.top10;
      top10Count++;
    }
    if (!Number.isNaN(group.top20)) {
      top20 += group.top20;
      top20Count++;
    }
    if (!Number.isNaN(group.spearman)) {
      z += fisherZ(group.spearman);
      zCount++;
    }
  }
  return {
    pairwise_accuracy: quotient(pairwise, pairwiseCount),
    top_5_accuracy: quotient(top5, top5Count),
    top_10_accuracy: quotient(top10, top10Count),
    top_20_accuracy: quotient(top20, top20Count),
    spearman_correlation: zCount === 0 ? null : Math.tanh(z / zCount),
  };
}

/** The mean correlation of all positions and weeks at once, position by position. */
function meanCorrelation(groups: readonly GroupRanking[]): number | null {
  let z = 0;
  let count = 0;
  for (const position of POSITIONS) {
    for (let i = 0; i < groups.length; i++) {
      const { position: own, spearman } = groups[i];
      if (own !== position || Number.isNaN(spearman)) continue;
      z += fisherZ(spearman);
      count++;
    }
  }
  return count === 0 ? null : Math.tanh(z / count);
}

/** Averages, averaged: each metric over those that have it. */
function meanOfMeans(rankings: readonly RankingAccuracy[]): RankingAccuracy {
  const z = mean(rankings.map(({ spearman_correlation: r }) => (r === null ? null : fisherZ(r))));
  return {
    pairwise_accuracy: mean(rankings.map((ranking) => ranking.pairwise_accuracy)),
    top_5_accuracy: mean(rankings.map((ranking) => ranking.top_5_accuracy)),
    top_10_accuracy: mean(rankings.map((ranking) => ranking.top_10_accuracy)),
    top_20_accuracy: mean(rankings.map((ranking) => ranking.top_20_accuracy)),
    spearman_correlation: z === null ? null : Math.tanh(z),
  };
}

function mean(values: readonly (number | null)[]): number | null {
  let sum = 0;
  let count = 0;
  for (const value of values) {
    if (value === null) continue;
    sum += value;
    count++;
  }
  return quotient(sum, count);
}

function quotient(sum: number, count: number): number | null {
  return count === 0 ? null : sum / count;
}

const EDGE = 1 - 1e-6;

/** Correlations are averaged by Fisher's z: tanh(mean(atanh(r))), r kept off ±1 so that a perfect week is not infinite. */
function fisherZ(r: number): number {
  return Math.atanh(Math.min(EDGE, Math.max(-EDGE, r)));
}
