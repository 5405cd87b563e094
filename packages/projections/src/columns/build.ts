import { UsageError } from "@coppice/engine/usage-error";
import { type Player, POSITIONS, type Season, WEEK_COUNT } from "../seasons/season.ts";
import { buildGroups } from "./build-groups.ts";
import { fillRanks } from "./build-ranks.ts";
import { type ColumnArrays, type Columns, LOCATION, MAX_WINDOW, NO_TEAM } from "./columns.ts";
import { sampleMean } from "./sample-mean.ts";
import { seasonViews } from "./views.ts";

/** Numbers different values from 1, in the order they are met; 0 stands for none. */
class Numbering {
  readonly #numbers = new Map<number, number>();

  of(value: number | undefined): number {
    if (value === undefined) return 0;
    const number = this.#numbers.get(value) ?? this.#numbers.size + 1;
    this.#numbers.set(value, number);
    return number;
  }

  /** The values by their numbers; the first is NaN, for none. */
  values(): Float64Array {
    return Float64Array.of(Number.NaN, ...this.#numbers.keys());
  }
}

/** Turns seasons into columns: everything that does not depend on a configuration is worked out here, once. */
export function buildColumns(seasons: readonly Season[]): Columns {
  const teamIndex = numberTeams(seasons);
  const teamCount = teamIndex.size;
  const views = seasons.flatMap((season, s) => seasonViews(season, s));
  const rowCount = views.reduce((sum, view) => sum + view.rows.length, 0);
  const teamTable = views.length * teamCount;
  const rows = {
    player: new Int32Array(rowCount),
    team: new Uint8Array(rowCount),
    share: new Float64Array(rowCount),
    actual: new Float64Array(rowCount),
    deviation: new Float64Array(MAX_WINDOW * rowCount).fill(Number.NaN),
    groupRows: new Int32Array(views.length * POSITIONS.length + 1),
  };
  const weeks = {
    opponent: new Uint8Array(teamTable).fill(NO_TEAM),
    temperature: new Uint16Array(teamTable),
    gust: new Uint16Array(teamTable),
    location: new Uint8Array(teamTable),
    ranked: new Uint8Array(teamTable),
    offensive: new Uint8Array(teamTable * MAX_WINDOW),
    defence: new Uint8Array(teamTable * MAX_WINDOW),
    allowed: new Uint8Array(teamTable * MAX_WINDOW * 5),
  };
  const weather = { temperatures: new Numbering(), gusts: new Numbering() };
  const names: string[] = [];
  views.forEach((view, v) => {
    fillTeams(view.of, view.week, teamIndex, weeks, v * teamCount, weather);
    fillRanks(view.of, view.week, teamIndex, weeks, v);
    POSITIONS.forEach((position, p) => {
      rows.groupRows[v * POSITIONS.length + p] = names.length;
      for (const { idx, player, raw, actual } of view.rows) {
        if (player.position !== position) continue;
        const row = names.length;
        rows.player[row] = idx;
        rows.team[row] = teamIndex.get(player.team) ?? NO_TEAM;
        rows.share[row] = raw > 0 && view.max > 0 ? raw / view.max : 0;
        rows.actual[row] = actual;
        if (position !== "DST") fillDeviations(player, view.week, rows.deviation, row, rowCount);
        names.push(player.name);
      }
    });
  });
  rows.groupRows[views.length * POSITIONS.length] = names.length;
  return {
    header: {
      seasons: seasons.map((season) => season.name),
      teamCount,
      rowCount,
      maxRank: highestRank(seasons, teamCount),
      views: views.map(({ season, horizon, week, max }) => ({ season, horizon, week, max })),
    },
    ...rows,
    ...weeks,
    temperatures: weather.temperatures.values(),
    gusts: weather.gusts.values(),
    ...buildGroups(rows.groupRows, rows.actual, names),
  };
}

function numberTeams(seasons: readonly Season[]): ReadonlyMap<string, number> {
  const codes = new Set<string>();
  for (const season of seasons) {
    for (const player of season.players) codes.add(player.team);
    for (const teams of [season.teamWeeks, season.opponents, season.games]) {
      for (const team of teams.keys()) codes.add(team);
    }
    for (const weeks of season.opponents.values()) for (const team of weeks) if (team !== undefined) codes.add(team);
  }
  return new Map([...codes].sort().map((code, i) => [code, i]));
}

/** Ranks are bytes and 255 means no team, which bounds how many teams there can be. */
function highestRank(seasons: readonly Season[], teamCount: number): number {
  const defences = seasons.map((season) => season.players.filter((player) => player.position === "DST").length);
  const highest = Math.max(16, ...defences, ...seasons.map((season) => season.teamWeeks.size));
  if (highest >= NO_TEAM || teamCount >= NO_TEAM) {
    throw new UsageError(`the data has ${Math.max(highest, teamCount)} teams; at most ${NO_TEAM - 1} are possible`);
  }
  return highest;
}

function fillTeams(
  season: Season,
  week: number,
  teamIndex: ReadonlyMap<string, number>,
  out: Pick<ColumnArrays, "opponent" | "temperature" | "gust" | "location" | "ranked">,
  offset: number,
  weather: { readonly temperatures: Numbering; readonly gusts: Numbering },
): void {
  for (const [team, t] of teamIndex) {
    const at = offset + t;
    if (season.teamWeeks.has(team)) out.ranked[at] = 1;
    const opponent = season.opponents.get(team)?.[week - 1];
    if (opponent !== undefined) out.opponent[at] = teamIndex.get(opponent) ?? NO_TEAM;
    const game = season.games.get(team)?.[week - 1];
    if (game === undefined) continue;
    if (!game.indoor) {
      out.temperature[at] = weather.temperatures.of(game.temperature);
      out.gust[at] = weather.gusts.of(game.gust);
    }
    const atHome = game.home === team && !game.neutralSite;
    out.location[at] = game.country !== "USA" ? LOCATION.international : atHome ? LOCATION.home : LOCATION.away;
  }
}

/** One deviation per window length m: the latest m samples, none older than 2 m weeks. */
function fillDeviations(player: Player, week: number, out: Float64Array, row: number, rowCount: number): void {
  const samples = new Float64Array(WEEK_COUNT);
  const weeks: number[] = [];
  for (let w = week - 1; w >= 1; w--) {
    const actual = player.actual[w - 1] ?? 0;
    const projected = player.projected[w - 1] ?? 0;
    if (!(actual > 0 && projected > 0)) continue;
    samples[weeks.length] = (actual - projected) / projected;
    weeks.push(w);
  }
  for (let m = 1; m <= Math.min(weeks.length, MAX_WINDOW); m++) {
    if (weeks[m - 1] >= week - 2 * m) out[(m - 1) * rowCount + row] = sampleMean(samples, m);
  }
}
