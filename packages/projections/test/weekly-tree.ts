import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { POSITIONS, type Season } from "../src/seasons/season.ts";

/** Writes seasons as the weekly tree: one folder per snapshot, one file per position, what was known then. */
export function writeWeeklyTree(root: string, seasons: readonly Season[]): void {
  for (const season of seasons) {
    const folder = join(root, season.name);
    mkdirSync(join(folder, "team_data"), { recursive: true });
    const lines = (file: string, header: string, rows: readonly (readonly unknown[])[]) =>
      writeFileSync(join(folder, file), `${[header, ...rows.map((row) => row.join(","))].join("\n")}\n`);
    lines(
      "season_schedule.csv",
      "week,team,opponent",
      [...season.opponents].flatMap(([team, weeks]) => weeks.map((opponent, w) => [w + 1, team, opponent ?? ""])),
    );
    lines(
      "game_data.csv",
      "week,home_team,away_team,temperature,gust,precipitation,home_team_score,away_team_score,indoor,neutral_site,country,city,state,date",
      [...season.games].flatMap(([team, weeks]) =>
        weeks.flatMap((g, w) =>
          g?.home === team
            ? [
                [
                  w + 1,
                  g.home,
                  g.away,
                  g.temperature ?? "",
                  g.gust ?? "",
                  0,
                  0,
                  0,
                  g.indoor,
                  g.neutralSite,
                  g.country,
                  "",
                  "",
                  "",
                ],
              ]
            : [],
        ),
      ),
    );
    for (const [team, weeks] of season.teamWeeks) {
      lines(
        join("team_data", `${team}.csv`),
        "week,pts_allowed_to_QB,pts_allowed_to_RB,pts_allowed_to_WR,pts_allowed_to_TE,pts_allowed_to_K,points_scored,points_allowed",
        weeks.map((week, w) => [w + 1, ...week.allowed, week.pointsScored, week.pointsAllowed]),
      );
    }
    season.snapshots.forEach((snapshot, week) => {
      if (snapshot === undefined) return;
      const weekFolder = join(folder, "weeks", `week_${String(week).padStart(2, "0")}`);
      mkdirSync(weekFolder, { recursive: true });
      for (const position of POSITIONS) {
        const key = `${position.toLowerCase()}_data`;
        const players = snapshot
          .flatMap((idx) => season.players[idx] ?? [])
          .filter((player) => player.position === position)
          .map((player) => ({
            id: String(player.id),
            name: player.name,
            team: player.team,
            position,
            projected_points: player.projected.map((p, k) => (k < week ? p : (player.preseason?.[k] ?? 0))),
            actual_points: player.actual.map((a, k) => (k < week - 1 ? a : 0)),
          }));
        writeFileSync(join(weekFolder, `${key}.json`), JSON.stringify({ [key]: players }));
      }
    });
  }
}
