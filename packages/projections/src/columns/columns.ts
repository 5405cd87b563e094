/** Longest window that can be filled before the last week: longer ones see the same weeks. */
export const MAX_WINDOW = 16;
/** A team index that stands for no team: a bye, or a code nobody else uses. */
export const NO_TEAM = 255;
/** Where a game is played, seen from a team. */
export const LOCATION = { none: 0, home: 1, away: 2, international: 3 } as const;
/** Bits of {@link Columns.topFlags}: the name is among the true top 5, 10, 20 of its group. */
export const TOP = { five: 1, ten: 2, twenty: 4 } as const;

/** What the arrays are about; small, and sent to workers as text. */
export interface ColumnsHeader {
  readonly seasons: readonly string[];
  readonly teamCount: number;
  readonly rowCount: number;
  /** Highest rank that occurs, at least 16. */
  readonly maxRank: number;
  readonly views: readonly ViewHeader[];
}

/** One week of one season (or its rest-of-season view) as everybody saw it before it was played. */
export interface ViewHeader {
  readonly season: number;
  /** Index into HORIZONS. */
  readonly horizon: number;
  readonly week: number;
  /** Highest raw projection, which stands for the top of the scale. */
  readonly max: number;
}

/**
 * Everything an evaluation needs that no parameter touches, as flat arrays.
 *
 * Rows are the player-weeks with points, view by view, position by position, in load order. Groups are
 * (view, position) pairs: group = view × 6 + position. Team tables are at view × teamCount + team.
 */
export interface ColumnArrays {
  /** Index of the player within his season's list. */
  readonly player: Int32Array;
  readonly team: Uint8Array;
  /** Raw projection over the view's maximum; 0 without a projection. */
  readonly share: Float64Array;
  readonly actual: Float64Array;
  /** Performance deviation over a window of m samples, at (m − 1) × rowCount + row; NaN when it has no effect. */
  readonly deviation: Float64Array;
  /** First row of each group, and the end of the last. */
  readonly groupRows: Int32Array;

  readonly opponent: Uint8Array;
  /** Which of the different temperatures a team plays in outdoors; 0 without. */
  readonly temperature: Uint16Array;
  /** Which of the different gusts. */
  readonly gust: Uint16Array;
  /** The different temperatures and gusts, from 1. */
  readonly temperatures: Float64Array;
  readonly gusts: Float64Array;
  readonly location: Uint8Array;
  /** 1 for teams with results, which are the ones that have ranks. */
  readonly ranked: Uint8Array;
  /** Rank by points scored over a window, at (view × 16 + window − 1) × teamCount + team; 0 for none. */
  readonly offensive: Uint8Array;
  /** The same by the defence's fantasy points. */
  readonly defence: Uint8Array;
  /** Rank by points allowed to a position, at ((view × 16 + window − 1) × 5 + position) × teamCount + team. */
  readonly allowed: Uint8Array;

  /** First ranked player of each group, and the end of the last. */
  readonly groupRanked: Int32Array;
  /** Row of each ranked player (actual at least 3). */
  readonly rankedRow: Int32Array;
  /** Dense rank of his actual in the group, ascending from 1. */
  readonly actualRank: Uint16Array;
  /** Twice his average rank minus (n + 1), for the rank correlation. */
  readonly actualSpread: Int32Array;
  /** His name, numbered within the group. */
  readonly nameInGroup: Uint16Array;
  /** By group start + name: whether the name is in the true top. */
  readonly topFlags: Uint8Array;
  /** Per group: pairs with different actuals, and the sum of squares of actualSpread. */
  readonly comparisons: Float64Array;
  readonly actualSquares: Float64Array;
}

/** Seasons as typed columns, and what they hold. */
export interface Columns extends ColumnArrays {
  readonly header: ColumnsHeader;
}
