import type { Objective } from "@coppice/search";
import type { HorizonAccuracy, Metrics } from "../accuracy/accuracy.ts";

/** What a tournament keeps of a configuration on one horizon: small, because there are thousands of them. */
export interface HorizonResult {
  readonly mae: number;
  readonly player_count: number;
  readonly total_error: number;
  /** Overall pairwise accuracy; absent when only the error was asked for, null when undefined. */
  readonly pairwise_accuracy?: number | null;
  readonly per_season_pairwise?: Readonly<Record<string, number | null>>;
  /** The error of each season, where seasons are left out in turn. */
  readonly per_season_error?: Readonly<Record<string, Pick<HorizonResult, "total_error" | "player_count">>>;
}

/** What is left of a result when only some of its seasons count. */
export function onSeasons(result: HorizonResult, counts: (season: string) => boolean): HorizonResult {
  const errors = Object.entries(result.per_season_error ?? {}).flatMap(([name, error]) =>
    counts(name) ? [error] : [],
  );
  const total_error = errors.reduce((sum, error) => sum + error.total_error, 0);
  const player_count = errors.reduce((sum, error) => sum + error.player_count, 0);
  const error = { mae: player_count === 0 ? 0 : total_error / player_count, player_count, total_error };
  if (result.per_season_pairwise === undefined) return error;
  const pairs = Object.entries(result.per_season_pairwise).filter(([season]) => counts(season));
  const known = pairs.flatMap(([, share]) => share ?? []);
  const pairwise_accuracy = known.length === 0 ? null : known.reduce((sum, share) => sum + share, 0) / known.length;
  return { ...error, pairwise_accuracy, per_season_pairwise: Object.fromEntries(pairs) };
}

/** The errors of single seasons, small enough to be kept for every configuration. */
export function seasonErrors({ seasons }: HorizonAccuracy): Pick<HorizonResult, "per_season_error"> {
  const errors = Object.entries(seasons).map(([season, { total_error, player_count }]) => [
    season,
    { total_error, player_count },
  ]);
  return { per_season_error: Object.fromEntries(errors) };
}

export function horizonResult({ aggregate }: HorizonAccuracy): HorizonResult {
  const { mae, player_count, total_error, overall, per_season_pairwise } = aggregate;
  if (overall === undefined || per_season_pairwise === undefined) return { mae, player_count, total_error };
  return { mae, player_count, total_error, pairwise_accuracy: overall.pairwise_accuracy, per_season_pairwise };
}

/** What a tuning improves: the mean absolute error, or the share of pairs in the right order. */
export type ObjectiveName = "mae" | "pairwise";

/** What is improved. */
export interface FootballObjective extends Objective<HorizonResult> {
  readonly title: string;
  readonly wanted: "lower" | "higher";
  /** What has to be computed for it. */
  readonly metrics: Metrics;
}

/** Share of seasons in which an order must be predicted better before it counts as better at all. */
const SEASONS_TO_WIN = 0.8;

/** Lower error wins, strictly. A result without players never wins and is never beaten. */
const lowerError: FootballObjective = {
  title: "MAE",
  wanted: "lower",
  metrics: "mae",
  better(result, best) {
    if (result.player_count === 0 || !Number.isFinite(result.mae)) return false;
    if (best === undefined) return true;
    return best.player_count !== 0 && result.mae < best.mae;
  },
  value: (result) => (result.player_count === 0 ? null : result.mae),
};

/** Higher pairwise accuracy wins, and only if it also wins in four fifths of the seasons both have. */
const predictedOrder: FootballObjective = {
  title: "pairwise",
  wanted: "higher",
  metrics: "all",
  better(result, best) {
    const ours = result.pairwise_accuracy;
    if (result.player_count === 0 || ours === undefined) return false;
    if (best === undefined) return true;
    if (best.player_count === 0) return false;
    const theirs = best.pairwise_accuracy;
    if (theirs === undefined) return true;
    if (ours === null) return false;
    if (theirs === null) return true;
    return consistent(result, best) && ours > theirs;
  },
  value: (result) => (result.player_count === 0 ? null : (result.pairwise_accuracy ?? null)),
};

function consistent(result: HorizonResult, best: HorizonResult): boolean {
  const ours = result.per_season_pairwise ?? {};
  const theirs = best.per_season_pairwise ?? {};
  let shared = 0;
  let wins = 0;
  for (const season of Object.keys(ours)) {
    const [a, b] = [ours[season] ?? null, theirs[season] ?? null];
    if (a === null || b === null) continue;
    shared++;
    if (a > b) wins++;
  }
  return shared < 2 || wins >= Math.ceil(SEASONS_TO_WIN * shared);
}

/** Every objective by its name. */
export const objectives: Readonly<Record<ObjectiveName, FootballObjective>> = {
  mae: lowerError,
  pairwise: predictedOrder,
};
