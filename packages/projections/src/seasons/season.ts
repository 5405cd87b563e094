/** Weeks of a season that are scored; snapshots exist for one week more, which holds the last actuals. */
export const WEEK_COUNT = 17;
export const SNAPSHOT_COUNT = WEEK_COUNT + 1;

/** In the order position files are read, which is the order players are loaded in. */
export const POSITIONS = ["QB", "RB", "WR", "TE", "K", "DST"] as const;
export type Position = (typeof POSITIONS)[number];

/** Positions whose points a defence is ranked on. */
export const DEFENDED_POSITIONS = ["QB", "RB", "WR", "TE", "K"] as const;

/** One player's season. Arrays are indexed by week − 1; 0 means none (bye, not projected, did not play). */
export interface Player {
  readonly id: number;
  readonly name: string;
  readonly position: Position;
  readonly team: string;
  /** Points projected for week k as it stood in week k. */
  readonly projected: readonly number[];
  readonly actual: readonly number[];
  /** Points projected for each week before week 1; undefined when the data has none. */
  readonly preseason: readonly number[] | undefined;
}

/** What a team did in a week. Scored and allowed both 0 means a bye. */
export interface TeamWeek {
  /** Fantasy points allowed to QB, RB, WR, TE, K. */
  readonly allowed: readonly number[];
  readonly pointsScored: number;
  readonly pointsAllowed: number;
}

export interface Game {
  readonly home: string;
  readonly away: string;
  /** Degrees Fahrenheit; undefined when not recorded. */
  readonly temperature: number | undefined;
  /** Miles per hour; undefined when not recorded. */
  readonly gust: number | undefined;
  readonly indoor: boolean;
  readonly neutralSite: boolean;
  readonly country: string;
}

/** One season: its players, their weeks and their teams. */
export interface Season {
  readonly name: string;
  readonly players: readonly Player[];
  /** Indices into `players` in the order of week w's snapshot, at `snapshots[w]` (w = 1..18); undefined when missing. */
  readonly snapshots: readonly (readonly number[] | undefined)[];
  /** Teams with results, alphabetical: the order that decides equal averages. Weeks at index week − 1. */
  readonly teamWeeks: ReadonlyMap<string, readonly TeamWeek[]>;
  /** Opponent of a team in a week, at index week − 1; undefined on a bye. */
  readonly opponents: ReadonlyMap<string, readonly (string | undefined)[]>;
  /** Game of a team in a week, at index week − 1. */
  readonly games: ReadonlyMap<string, readonly (Game | undefined)[]>;
  /** Weeks that projections are not judged on; they still count as the past of later weeks. */
  readonly leftOut?: ReadonlySet<number>;
}

/** Seasons as read from disk. */
export interface SeasonSet {
  /** Ascending by name. */
  readonly seasons: readonly Season[];
  /** What was odd but usable, one line each. */
  readonly warnings: readonly string[];
  /** SHA-256 over the files read, so that a resumed run can tell whether its data changed. */
  readonly digest: string;
}

export function isPosition(text: string): text is Position {
  return (POSITIONS as readonly string[]).includes(text);
}

/** Players in load order: position files one after the other, each in its given order. */
export function byPositionFile(order: readonly number[], players: readonly Player[]): readonly number[] {
  return POSITIONS.flatMap((position) => order.filter((idx) => players[idx]?.position === position));
}

/** Everybody by id: what counts among equals where nothing says in which order players were known. */
export function byId(indices: Iterable<number>, players: readonly Player[]): readonly number[] {
  return [...indices].sort((a, b) => players[a].id - players[b].id);
}

/** Whether the rest-of-season view can be built: everybody known in week 1 was projected for the whole season. */
export function hasPreseason(season: Season): boolean {
  return season.snapshots[1]?.every((idx) => season.players[idx]?.preseason !== undefined) ?? false;
}
