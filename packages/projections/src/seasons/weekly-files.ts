import { join } from "node:path";
import { readCsvTable } from "@coppice/engine/files";
import { UsageError } from "@coppice/engine/usage-error";
import { z } from "zod";
import { addGame, GAME_COLUMNS } from "./game-row.ts";
import {
  type Game,
  isPosition,
  type Player,
  POSITIONS,
  type Season,
  SNAPSHOT_COUNT,
  type TeamWeek,
  WEEK_COUNT,
} from "./season.ts";
import { addOpponent, noTeamWeeks } from "./season-files.ts";
import type { DataSource } from "./source.ts";

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
  const odd = { dropped: 0, short: 0 };
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
  odd: { dropped: number; short: number },
): readonly number[] | undefined {
  const folder = join(season, "weeks", `week_${String(week).padStart(2, "0")}`);
  if (!source.has(folder)) {
    source.warn(`season ${season}: no snapshot of week ${week}`);
    return undefined;
  }
  const order: number[] = [];
  for (const position of POSITIONS) {
    const key = `${position.toLowerCase()}_data`;
    const path = join(folder, `${key}.json`);
    if (!source.has(path)) continue;
    const parsed = z.looseObject({ [key]: z.array(WeeklyPlayer) }).safeParse(source.json(path));
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      throw new UsageError(`${join(source.root, path)} ${issue?.path.join(".")}: ${issue?.message}`);
    }
    for (const entry of parsed.data[key] as z.infer<typeof WeeklyPlayer>[]) {
      const id = Number(entry.id ?? Number.NaN);
      if (!Number.isInteger(id) || String(entry.id).trim() === "" || !entry.name || !isPosition(entry.position ?? "")) {
        odd.dropped++;
        continue;
      }
      const at = index.get(id) ?? addPlayer(players, index, id, entry);
      const player = players[at];
      if (player === undefined || order.includes(at)) continue;
      order.push(at);
      if ((entry.projected_points?.length ?? 0) < WEEK_COUNT || (entry.actual_points?.length ?? 0) < WEEK_COUNT)
        odd.short++;
      if (week <= WEEK_COUNT) player.projected[week - 1] = entry.projected_points?.[week - 1] ?? 0;
      if (week > 1) player.actual[week - 2] = entry.actual_points?.[week - 2] ?? 0;
      if (week === 1) player.preseason = weeks(entry.projected_points);
    }
  }
  return order;
}

function addPlayer(
  players: PlayerDraft[],
  index: Map<number, number>,
  id: number,
  entry: z.infer<typeof WeeklyPlayer>,
): number {
  const position = entry.position ?? "";
  if (!isPosition(position)) throw new UsageError(`player ${id} has position ${JSON.stringify(position)}`);
  players.push({
    id,
    name: entry.name ?? "",
    position,
    team: entry.team ?? "",
    projected: weeks(undefined),
    actual: weeks(undefined),
    preseason: undefined,
  });
  index.set(id, players.length - 1);
  return players.length - 1;
}

function weeks(points: readonly (number | null)[] | null | undefined): number[] {
  return Array.from({ length: WEEK_COUNT }, (_, i) => points?.[i] ?? 0);
}

function readTeams(source: DataSource, season: string): Pick<Season, "teamWeeks" | "opponents" | "games"> {
  const opponents = new Map<string, (string | undefined)[]>();
  const schedule = join(season, "season_schedule.csv");
  for (const row of readCsvTable(join(source.root, schedule), source.text(schedule), ["week", "team", "opponent"])) {
    addOpponent(row, opponents);
  }
  const games = new Map<string, (Game | undefined)[]>();
  const gameFile = join(season, "game_data.csv");
  for (const row of readCsvTable(join(source.root, gameFile), source.text(gameFile), GAME_COLUMNS)) {
    if (!addGame(row, games)) source.warn(row.wrong("the game cannot be read and is left out").message);
  }
  const teamWeeks = new Map<string, TeamWeek[]>();
  const files = source.list(join(season, "team_data")).filter((name) => name.endsWith(".csv"));
  // By team code, not by file name: the tie order must not depend on ".".
  for (const team of files.map((name) => name.slice(0, -".csv".length)).sort()) {
    teamWeeks.set(team, readTeam(source, join(season, "team_data", `${team}.csv`)));
  }
  return { teamWeeks, opponents, games };
}

function readTeam(source: DataSource, path: string): TeamWeek[] {
  const found = noTeamWeeks();
  const columns = ["week", ...ALLOWED, "points_scored", "points_allowed"];
  for (const row of readCsvTable(join(source.root, path), source.text(path), columns)) {
    const week = row.integer("week", 1, 22);
    if (week > WEEK_COUNT) continue;
    found[week - 1] = {
      allowed: ALLOWED.map((column) => row.numberOrZero(column)),
      pointsScored: row.numberOrZero("points_scored"),
      pointsAllowed: row.numberOrZero("points_allowed"),
    };
  }
  return found;
}
