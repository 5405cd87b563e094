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
  SNAPSHOT_COUNT,
  type TeamWeek,
  WEEK_COUNT,
} from "./season.ts";
import type { DataSource } from "./source.ts";
import { addGame, addOpponent, addTeamWeek, type ByTeam, byes, GAME_COLUMNS, LAST_WEEK_PLAYED } from "./team-rows.ts";

const ALLOWED = ["QB", "RB", "WR", "TE", "K"].map((position) => `pts_allowed_to_${position}`);

const WeeklyPlayer = z.looseObject({
  id: z.union([z.string(), z.number()]).nullish(),
  name: z.string().nullish(),
  team: z.string().nullish(),
  position: z.string().nullish(),
  projected_points: z.array(z.number().nullable()).nullish(),
  actual_points: z.array(z.number().nullable()).nullish(),
});

/** The tree `<YYYY>/weeks/week_NN/<position>_data.json`: see docs/projection-data.md. */
export function readWeeklyFiles(source: DataSource): readonly Season[] {
  const years = source.list(".").filter((name) => /^\d{4}$/.test(name));
  const names = years.filter((name) => source.has(join(name, "weeks")));
  for (const name of years.filter((year) => !names.includes(year))) {
    source.warn(`season ${name} has no weeks folder and is left out`);
  }
  if (names.length === 0) {
    throw new UsageError(
      `${source.root} holds no seasons: it needs either players.csv and its companions or folders <year>/weeks/week_NN`,
    );
  }
  return names.map((name) => readSeason(source, name));
}

interface PlayerDraft extends Player {
  readonly projected: number[];
  readonly actual: number[];
  preseason: number[] | undefined;
}

function readSeason(source: DataSource, season: string): Season {
  const players: PlayerDraft[] = [];
  const index = new Map<number, number>();
  const snapshots: (readonly number[] | undefined)[] = [undefined];
  const odd = { dropped: 0, short: 0, repeated: 0 };
  for (let week = 1; week <= SNAPSHOT_COUNT; week++) {
    snapshots.push(readSnapshot(source, season, week, players, index, odd));
  }
  if (snapshots.every((snapshot) => snapshot === undefined)) {
    throw new UsageError(
      `season ${season} has no weeks: ${join(source.root, season, "weeks")} has no folder week_01 … week_18`,
    );
  }
  if (odd.dropped > 0)
    source.warn(`season ${season}: ${odd.dropped} entries without id, name or position are left out`);
  if (odd.repeated > 0) source.warn(`season ${season}: ${odd.repeated} players are in a week twice; the first counts`);
  if (odd.short > 0) {
    source.warn(
      `season ${season}: ${odd.short} entries have fewer than ${WEEK_COUNT} weeks; the missing ones count as 0`,
    );
  }
  return { name: season, players, snapshots, ...readTeams(source, season) };
}

/** One week's folder: its player order, this week's projections and the previous week's actuals. */
function readSnapshot(
  source: DataSource,
  season: string,
  week: number,
  players: PlayerDraft[],
  index: Map<number, number>,
  odd: { dropped: number; short: number; repeated: number },
): readonly number[] | undefined {
  const folder = join(season, "weeks", `week_${String(week).padStart(2, "0")}`);
  if (!source.has(folder)) {
    source.warn(`season ${season}: no snapshot of week ${week}`);
    return undefined;
  }
  const files = source.list(folder);
  if (!POSITIONS.some((position) => files.includes(`${position.toLowerCase()}_data.json`))) {
    const found = files.length === 0 ? "is empty" : `has ${files.slice(0, 3).join(", ")}`;
    throw new UsageError(`${join(source.root, folder)} ${found}: it needs qb_data.json, rb_data.json, … dst_data.json`);
  }
  const order = new Set<number>();
  for (const position of POSITIONS) {
    const key = `${position.toLowerCase()}_data`;
    const path = join(folder, `${key}.json`);
    if (!source.has(path)) continue;
    const parsed = z.looseObject({ [key]: z.array(WeeklyPlayer) }).safeParse(source.json(path));
    if (!parsed.success) {
      throw new UsageError(`${join(source.root, path)}: ${wrongField(parsed.error.issues)}`);
    }
    for (const entry of parsed.data[key] as z.infer<typeof WeeklyPlayer>[]) {
      const id = Number(entry.id ?? Number.NaN);
      const { name, team } = entry;
      const position = entry.position ?? "";
      if (!Number.isInteger(id) || String(entry.id).trim() === "" || !name || !isPosition(position)) {
        odd.dropped++;
        continue;
      }
      let at = index.get(id);
      if (at === undefined) {
        at = players.length;
        index.set(id, at);
        const none = { projected: weeks(undefined), actual: weeks(undefined), preseason: undefined };
        players.push({ id, name, position, team: team ?? "", ...none });
      }
      const player = players[at];
      if (order.has(at)) {
        odd.repeated++;
        continue;
      }
      order.add(at);
      const { projected_points: projected, actual_points: actual } = entry;
      if ((projected?.length ?? 0) < WEEK_COUNT || (actual?.length ?? 0) < WEEK_COUNT) odd.short++;
      if (week <= WEEK_COUNT) player.projected[week - 1] = projected?.[week - 1] ?? 0;
      if (week > 1) player.actual[week - 2] = actual?.[week - 2] ?? 0;
      if (week === 1) player.preseason = weeks(projected);
    }
  }
  return byPositionFile(byId(order, players), players);
}

function weeks(points: readonly (number | null)[] | null | undefined): number[] {
  return Array.from({ length: WEEK_COUNT }, (_, i) => points?.[i] ?? 0);
}

function readTeams(source: DataSource, season: string): Pick<Season, "teamWeeks" | "opponents" | "games"> {
  const opponents: ByTeam<string | undefined> = new Map();
  for (const row of readTable(source, join(season, "season_schedule.csv"), ["week", "team", "opponent"])) {
    addOpponent(row, opponents);
  }
  const games: ByTeam<Game | undefined> = new Map();
  for (const row of readTable(source, join(season, "game_data.csv"), GAME_COLUMNS)) {
    if (!addGame(row, games)) source.warn(row.wrong("the game cannot be read and is left out").message);
  }
  const teamWeeks: ByTeam<TeamWeek> = new Map();
  const files = source.list(join(season, "team_data")).filter((name) => name.endsWith(".csv"));
  if (files.length === 0) {
    throw new UsageError(`${join(source.root, season, "team_data")} has no files: it needs <TEAM>.csv for every team`);
  }
  // By team code, not by file name: the tie order must not depend on ".".
  for (const team of files.map((name) => name.slice(0, -".csv".length)).sort()) {
    teamWeeks.set(team, byes());
    const columns = ["week", ...ALLOWED, "points_scored", "points_allowed"];
    for (const row of readTable(source, join(season, "team_data", `${team}.csv`), columns)) {
      addTeamWeek(row, teamWeeks, team, ALLOWED, LAST_WEEK_PLAYED);
    }
  }
  return { teamWeeks, opponents, games };
}

function readTable(source: DataSource, path: string, columns: readonly string[]): readonly CsvRow[] {
  return readCsvTable(join(source.root, path), source.text(path), columns);
}
