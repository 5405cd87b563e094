import { join } from "node:path";
import { type CsvRow, readCsvTable, wrongField } from "@coppice/engine/files";
import { UsageError } from "@coppice/engine/usage-error";
import { z } from "zod";
import {
  byId,
  byPositionFile,
  type Game,
  isPosition,
  type Player,
  POSITIONS,
  type Season,
  type TeamWeek,
  WEEK_COUNT,
} from "./season.ts";
import type { DataSource } from "./source.ts";
import { addGame, addOpponent, addTeamWeek, type ByTeam, GAME_COLUMNS } from "./team-rows.ts";

const weekColumns = (prefix: string) => Array.from({ length: WEEK_COUNT }, (_, i) => `${prefix}${i + 1}`);
export const PROJECTED: readonly string[] = weekColumns("p");
export const ACTUAL: readonly string[] = weekColumns("a");
export const PRESEASON: readonly string[] = weekColumns("r");
const ALLOWED = ["qb_allowed", "rb_allowed", "wr_allowed", "te_allowed", "k_allowed"] as const;
const LoadOrder = z.record(z.string(), z.record(z.string(), z.array(z.int().min(0))));

/** The layout with one CSV file per kind of row, all seasons in each: see docs/projection-data.md. */
export function isSeasonFiles(source: DataSource): boolean {
  return source.has("players.csv");
}

export function readSeasonFiles(source: DataSource): readonly Season[] {
  const players = readPlayers(source);
  const teamColumns = ["team", "week", ...ALLOWED, "points_scored", "points_allowed"];
  const teamWeeks = bySeason<TeamWeek>(source, "team_weeks.csv", teamColumns, (row, teams) =>
    addTeamWeek(row, teams, row.text("team"), ALLOWED, WEEK_COUNT),
  );
  const opponents = bySeason(source, "schedule.csv", ["week", "team", "opponent"], addOpponent);
  const games = bySeason<Game | undefined>(source, "games.csv", GAME_COLUMNS, (row, teams) => {
    if (!addGame(row, teams)) source.warn(row.wrong("the game cannot be read and is left out").message);
  });
  const order = readLoadOrder(source);
  const names = [...players.keys()].sort();
  if (names.length === 0) throw new UsageError(`${join(source.root, "players.csv")} has no players`);
  return names.map((name) => {
    const list = players.get(name) ?? [];
    for (const [file, rows] of [
      ["team_weeks.csv", teamWeeks],
      ["schedule.csv", opponents],
    ] as const) {
      if (!rows.has(name)) {
        throw new UsageError(`season ${name} has players but no weeks: ${join(source.root, file)} has no rows for it`);
      }
    }
    return {
      name,
      players: list,
      snapshots: snapshots(name, list, order?.[name], source),
      teamWeeks: new Map([...(teamWeeks.get(name) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1))),
      opponents: opponents.get(name) ?? new Map(),
      games: games.get(name) ?? new Map(),
    };
  });
}

function readPlayers(source: DataSource): Map<string, Player[]> {
  const file = join(source.root, "players.csv");
  const columns = ["season", "idx", "id", "name", "position", "team", ...PROJECTED, ...ACTUAL];
  const rows = readCsvTable(file, source.text("players.csv"), columns);
  const preseason = readPreseason(source);
  const seasons = new Map<string, Player[]>();
  const seen = new Set<string>();
  for (const row of rows) {
    const season = seasonName(row);
    const list = seasons.get(season) ?? [];
    seasons.set(season, list);
    const idx = row.integer("idx", 0, rows.length - 1);
    if (idx !== list.length)
      throw row.wrong(`idx is ${idx}; rows of a season are numbered 0, 1, 2, …, so ${list.length}`);
    if (row.text("id") === "") throw row.wrong("the player has no id");
    const id = row.integer("id", -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
    if (seen.has(`${season} ${id}`)) throw row.wrong(`id ${id} appears twice in season ${season}`);
    seen.add(`${season} ${id}`);
    const position = row.text("position");
    if (!isPosition(position))
      throw row.wrong(`position is ${JSON.stringify(position)}, not one of ${POSITIONS.join(", ")}`);
    list.push({
      id,
      name: row.text("name"),
      position,
      team: row.text("team"),
      projected: PROJECTED.map((column) => row.numberOrZero(column)),
      actual: ACTUAL.map((column) => row.numberOrZero(column)),
      preseason: preseason?.get(`${season} ${idx}`),
    });
  }
  return seasons;
}

function readPreseason(source: DataSource): Map<string, readonly number[]> | undefined {
  const text = source.textIfPresent("preseason_projection.csv");
  if (text === undefined) return undefined;
  const rows = readCsvTable(join(source.root, "preseason_projection.csv"), text, ["season", "idx", ...PRESEASON]);
  return new Map(
    rows.map((row) => [`${seasonName(row)} ${row.text("idx")}`, PRESEASON.map((c) => row.numberOrZero(c))]),
  );
}

/** Files the rows of a table by season and team. */
function bySeason<Week>(
  source: DataSource,
  file: string,
  columns: readonly string[],
  add: (row: CsvRow, teams: ByTeam<Week>) => void,
): ReadonlyMap<string, ByTeam<Week>> {
  const seasons = new Map<string, ByTeam<Week>>();
  for (const row of readCsvTable(join(source.root, file), source.text(file), ["season", ...columns])) {
    const season = seasonName(row);
    const teams = seasons.get(season) ?? new Map<string, Week[]>();
    seasons.set(season, teams);
    add(row, teams);
  }
  return seasons;
}

function readLoadOrder(source: DataSource): z.infer<typeof LoadOrder> | undefined {
  if (!source.has("load_order.json")) {
    source.warn(
      `${join(source.root, "load_order.json")} is missing: everybody is in every week, and of equal players the lower id comes first`,
    );
    return undefined;
  }
  const parsed = LoadOrder.safeParse(source.json("load_order.json"));
  if (parsed.success) return parsed.data;
  throw new UsageError(
    `${join(source.root, "load_order.json")}: ${wrongField(parsed.error.issues)}; the file is {season: {week: [idx, …]}}`,
  );
}

function snapshots(
  season: string,
  players: readonly Player[],
  order: Readonly<Record<string, readonly number[]>> | undefined,
  source: DataSource,
): readonly (readonly number[] | undefined)[] {
  const everyone = byId(players.keys(), players);
  return Array.from({ length: WEEK_COUNT + 2 }, (_, week) => {
    if (week === 0) return undefined;
    const list = order === undefined ? everyone : order[String(week)];
    if (list === undefined) {
      source.warn(`season ${season}: no snapshot of week ${week}`);
      return undefined;
    }
    const strange = list.find((idx) => idx >= players.length);
    if (strange !== undefined || new Set(list).size !== list.length) {
      const what = strange === undefined ? "a player twice" : `player ${strange} of ${players.length}`;
      throw new UsageError(`${join(source.root, "load_order.json")} ${season}.${week} lists ${what}`);
    }
    return byPositionFile(list, players);
  });
}

function seasonName(row: CsvRow): string {
  const season = row.text("season");
  if (!/^\d{4}$/.test(season)) throw row.wrong(`season is ${JSON.stringify(season)}; it must be a year of four digits`);
  return season;
}
