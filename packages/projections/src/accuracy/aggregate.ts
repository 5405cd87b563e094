import { POSITIONS, type Position } from "../seasons/season.ts";
import type { Accuracy, AggregateAccuracy, GroupRanking, HorizonAccuracy, RankingAccuracy } from "./accuracy.ts";
import { meanCorrelation, meanOfMeans, meanOfWeeks } from "./ranking-mean.ts";

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
