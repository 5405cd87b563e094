import type { Position } from "../seasons/season.ts";

/** How well an order was predicted. Null where no week had enough players. Names as in the result files. */
export interface RankingAccuracy {
  readonly pairwise_accuracy: number | null;
  readonly top_5_accuracy: number | null;
  readonly top_10_accuracy: number | null;
  readonly top_20_accuracy: number | null;
  readonly spearman_correlation: number | null;
}

/** Mean absolute error in points over player-weeks (over players for `ros`). */
export interface ErrorAccuracy {
  readonly mae: number;
  readonly player_count: number;
  readonly total_error: number;
  readonly weeks_evaluated: number;
  readonly weeks_requested: number;
}

export interface Accuracy extends ErrorAccuracy {
  /** Absent when only the error was asked for. */
  readonly overall?: RankingAccuracy;
  readonly by_position?: Readonly<Partial<Record<Position, RankingAccuracy>>>;
}

export interface AggregateAccuracy extends Accuracy {
  readonly per_season_pairwise?: Readonly<Record<string, number | null>>;
}

/** One configuration on one horizon. */
export interface HorizonAccuracy {
  readonly aggregate: AggregateAccuracy;
  readonly seasons: Readonly<Record<string, Accuracy>>;
}

/** Which metrics to compute: the error alone is several times cheaper. */
export type Metrics = "all" | "mae";

/** Players of a position in one week: NaN where a metric is undefined. */
export interface GroupRanking {
  readonly position: Position;
  readonly pairwise: number;
  readonly top5: number;
  readonly top10: number;
  readonly top20: number;
  readonly spearman: number;
}
