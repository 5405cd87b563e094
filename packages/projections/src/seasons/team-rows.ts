import type { CsvRow } from "@coppice/engine/files";
import { type Game, type TeamWeek, WEEK_COUNT } from "./season.ts";

/** Columns both layouts' game files have. */
export const GAME_COLUMNS = [
  "week",
  "home_team",
  "away_team",
  "temperature",
  "gust",
  "indoor",
  "neutral_site",
  "country",
] as const;

/** Files may go on into the play-offs, which are not scored. */
export const LAST_WEEK_PLAYED = 22;

/** What is known of each team's weeks, at index week − 1. */
export type ByTeam<Week> = Map<string, Week[]>;

/** Reads one game and files it under both teams, a later row replacing an earlier one; false when it cannot be read. */
export function addGame(row: CsvRow, games: ByTeam<Game | undefined>): boolean {
  const week = Number(row.text("week"));
  const temperature = measurement(row.text("temperature"));
  const gust = measurement(row.text("gust"));
  if (!Number.isInteger(week) || Number.isNaN(temperature) || Number.isNaN(gust)) return false;
  if (week < 1 || week > WEEK_COUNT) return true;
  const game: Game = {
    home: row.text("home_team").toUpperCase(),
    away: row.text("away_team").toUpperCase(),
    temperature,
    gust,
    indoor: row.text("indoor").toLowerCase() === "true",
    neutralSite: row.text("neutral_site").toLowerCase() === "true",
    country: row.text("country") === "" ? "USA" : row.text("country"),
  };
  for (const team of [game.home, game.away]) weeksOf(games, team)[week - 1] = game;
  return true;
}

/** Whole units, cut towards zero; undefined when blank, NaN when it is not a number. */
function measurement(text: string): number | undefined {
  return text === "" ? undefined : Math.trunc(Number(text));
}

/** Files the opponent of a team's week; a blank one is a bye. Weeks after the last scored one are left out. */
export function addOpponent(row: CsvRow, opponents: ByTeam<string | undefined>): void {
  const week = row.integer("week", 1, LAST_WEEK_PLAYED);
  if (week > WEEK_COUNT) return;
  const opponent = row.text("opponent");
  weeksOf(opponents, row.text("team"))[week - 1] = opponent === "" ? undefined : opponent;
}

/** Files what a team did in a week; `allowed` are the columns of points allowed to QB, RB, WR, TE, K. */
export function addTeamWeek(
  row: CsvRow,
  teams: ByTeam<TeamWeek>,
  team: string,
  allowed: readonly string[],
  lastWeek: number,
): void {
  const week = row.integer("week", 1, lastWeek);
  if (week > WEEK_COUNT) return;
  const weeks = teams.get(team) ?? byes();
  teams.set(team, weeks);
  weeks[week - 1] = {
    allowed: allowed.map((column) => row.numberOrZero(column)),
    pointsScored: row.numberOrZero("points_scored"),
    pointsAllowed: row.numberOrZero("points_allowed"),
  };
}

/** A team's weeks before anything is known of them. */
export function byes(): TeamWeek[] {
  return Array.from({ length: WEEK_COUNT }, () => ({ allowed: [0, 0, 0, 0, 0], pointsScored: 0, pointsAllowed: 0 }));
}

function weeksOf<Week>(teams: ByTeam<Week | undefined>, team: string): (Week | undefined)[] {
  const weeks = teams.get(team) ?? new Array<Week | undefined>(WEEK_COUNT).fill(undefined);
  teams.set(team, weeks);
  return weeks;
}
