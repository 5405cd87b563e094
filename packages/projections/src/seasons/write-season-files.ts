import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { csvText } from "@coppice/engine/files";
import type { Season } from "./season.ts";
import { ACTUAL, PRESEASON, PROJECTED } from "./season-files.ts";

/** Writes seasons in the CSV layout that {@link loadSeasons} reads. */
export function writeSeasonFiles(folder: string, seasons: readonly Season[]): void {
  mkdirSync(folder, { recursive: true });
  const write = (file: string, header: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
    writeFileSync(join(folder, file), csvText(header, rows));

  write(
    "players.csv",
    ["season", "idx", "id", "name", "position", "team", ...PROJECTED, ...ACTUAL],
    seasons.flatMap(({ name, players }) =>
      players.map((p, idx) => [name, idx, p.id, p.name, p.position, p.team, ...p.projected, ...p.actual]),
    ),
  );
  if (seasons.every((season) => season.players.every((player) => player.preseason !== undefined))) {
    write(
      "preseason_projection.csv",
      ["season", "idx", ...PRESEASON],
      seasons.flatMap(({ name, players }) => players.map((p, idx) => [name, idx, ...(p.preseason ?? [])])),
    );
  }
  write(
    "team_weeks.csv",
    "season,team,week,qb_allowed,rb_allowed,wr_allowed,te_allowed,k_allowed,points_scored,points_allowed".split(","),
    seasons.flatMap(({ name, teamWeeks }) =>
      [...teamWeeks].flatMap(([team, weeks]) =>
        weeks.map((week, w) => [name, team, w + 1, ...week.allowed, week.pointsScored, week.pointsAllowed]),
      ),
    ),
  );
  write(
    "schedule.csv",
    ["season", "week", "team", "opponent"],
    seasons.flatMap(({ name, opponents }) =>
      [...opponents].flatMap(([team, weeks]) => weeks.map((opponent, w) => [name, w + 1, team, opponent ?? ""])),
    ),
  );
  write(
    "games.csv",
    "season,week,home_team,away_team,temperature,gust,indoor,neutral_site,country".split(","),
    seasons.flatMap(({ name, games }) =>
      [...games].flatMap(([team, weeks]) =>
        weeks.flatMap((game, w) =>
          game?.home === team
            ? [
                [
                  name,
                  w + 1,
                  game.home,
                  game.away,
                  game.temperature ?? "",
                  game.gust ?? "",
                  game.indoor ? "True" : "False",
                  game.neutralSite ? "True" : "False",
                  game.country,
                ],
              ]
            : [],
        ),
      ),
    ),
  );
  const order = seasons.map(({ name, snapshots }) => [
    name,
    Object.fromEntries(snapshots.flatMap((snapshot, week) => (snapshot === undefined ? [] : [[week, snapshot]]))),
  ]);
  writeFileSync(join(folder, "load_order.json"), JSON.stringify(Object.fromEntries(order)));
}
