import { DEFENDED_POSITIONS, POSITIONS, type Season, type TeamWeek } from "../../src/seasons/season.ts";

const NEUTRAL_RANK = 16;

/** Where each team stands before a week, by team; 1 is best. */
export interface TeamRanks {
  readonly offensive: ReadonlyMap<string, number>;
  readonly defensive: ReadonlyMap<string, number>;
  /** By fantasy points of the team's defence. */
  readonly dstFantasy: ReadonlyMap<string, number>;
  /** Against each of QB, RB, WR, TE, K. */
  readonly position: ReadonlyMap<string, readonly number[]>;
}

/**
 * Ranks before week `week` over the last `teamWindow` weeks (positions: `positionWindow`). Windows shrink when fewer
 * weeks exist; until the smaller one could be filled every rank is neutral. Equal averages keep the input order.
 */
export function teamRanks(season: Season, week: number, teamWindow: number, positionWindow: number): TeamRanks {
  const teams = [...season.teamWeeks.keys()];
  if (week <= Math.min(teamWindow, positionWindow)) {
    const neutral = new Map(teams.map((team) => [team, NEUTRAL_RANK]));
    return {
      offensive: neutral,
      defensive: neutral,
      dstFantasy: neutral,
      position: new Map(teams.map((team) => [team, DEFENDED_POSITIONS.map(() => NEUTRAL_RANK)])),
    };
  }
  const defences = (season.snapshots[week] ?? []).filter((idx) => season.players[idx]?.position === "DST");
  const last = week - 1;
  const games = (team: string, window: number) =>
    (season.teamWeeks.get(team) ?? [])
      .slice(Math.max(1, last - window + 1) - 1, last)
      .filter((game) => game.pointsScored !== 0 || game.pointsAllowed !== 0);
  const average = (team: string, window: number, of: (game: TeamWeek) => number, none: number) =>
    mean(games(team, window).map(of), none);
  const byPosition = DEFENDED_POSITIONS.map((_, p) =>
    ranked(
      teams,
      teams.map((t) => average(t, positionWindow, (game) => game.allowed[p] ?? 0, Number.POSITIVE_INFINITY)),
    ),
  );
  return {
    offensive: ranked(
      teams,
      teams.map((t) => -average(t, teamWindow, (game) => game.pointsScored, 0)),
    ),
    defensive: ranked(
      teams,
      teams.map((t) => average(t, teamWindow, (game) => game.pointsAllowed, Number.POSITIVE_INFINITY)),
    ),
    dstFantasy: ranked(
      defences.map((idx) => season.players[idx]?.team ?? ""),
      defences.map((idx) => {
        const actual = season.players[idx]?.actual ?? [];
        const window = actual.slice(Math.max(1, last - teamWindow + 1) - 1, last);
        return -mean(
          window.filter((points) => points !== 0),
          0,
        );
      }),
    ),
    position: new Map(teams.map((team) => [team, byPosition.map((ranks) => ranks.get(team) ?? NEUTRAL_RANK)])),
  };
}

/** The value a player's matchup is judged by: how the opponent's defence ranks against him. */
export function matchupRank(ranks: TeamRanks, opponent: string | undefined, position: string): number | undefined {
  if (opponent === undefined) return undefined;
  if (position === "DST") return ranks.offensive.get(opponent);
  return ranks.position.get(opponent)?.[POSITIONS.indexOf(position as (typeof POSITIONS)[number])];
}

/** 1, 2, 3, … by ascending value; the sort is stable, so equal values keep their order. */
function ranked(names: readonly string[], values: readonly number[]): Map<string, number> {
  const order = names.map((_, i) => i).sort((a, b) => compare(values[a] ?? 0, values[b] ?? 0));
  return new Map(order.map((at, rank) => [names[at] ?? "", rank + 1]));
}

function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function mean(values: readonly number[], none: number): number {
  return values.length === 0 ? none : values.reduce((sum, value) => sum + value, 0) / values.length;
}
