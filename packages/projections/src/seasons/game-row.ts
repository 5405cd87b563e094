import type { CsvRow } from "@coppice/engine/files";
import { type Game, WEEK_COUNT } from "./season.ts";

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

type GamesByTeam = Map<string, (Game | undefined)[]>;

/** Reads one game and files it under both teams, a later row replacing an earlier one; false when it cannot be read. */
export function addGame(row: CsvRow, games: GamesByTeam): boolean {
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
  for (const team of [game.home, game.away]) {
    const weeks = games.get(team) ?? new Array<Game | undefined>(WEEK_COUNT).fill(undefined);
    weeks[week - 1] = game;
    games.set(team, weeks);
  }
  return true;
}

/** Whole units, cut towards zero; undefined when blank, NaN when it is no number. */
function measurement(text: string): number | undefined {
  return text === "" ? undefined : Math.trunc(Number(text));
}
