import { type Random, random } from "@coppice/engine";
import {
  byPositionFile,
  DEFENDED_POSITIONS,
  type Game,
  type Player,
  POSITIONS,
  type Season,
  SNAPSHOT_COUNT,
  type TeamWeek,
  WEEK_COUNT,
} from "../seasons/season.ts";
import { drawProspects, drawSchedule, drawTeams, type Prospect, spread, type Team } from "./league.ts";

/**
 * Invented seasons in which the things the model looks at really matter a little: good offences, weak defences, form,
 * weather and home games move points, and forecasters know only part of it.
 */
export function generateSeasons(seed: number, names: readonly string[]): readonly Season[] {
  return names.map((name) => generateSeason(random(seed).at(name), name));
}

function generateSeason(random: Random, name: string): Season {
  const teams = drawTeams(random.at("teams"));
  const schedule = drawSchedule(teams, random.at("schedule"));
  const games = gamesByTeam(teams, schedule);
  const players = drawProspects(teams, random.at("players")).map((prospect) =>
    playSeason(prospect, teams, games, random.at(`season/${prospect.id}`)),
  );
  return {
    name,
    players,
    snapshots: drawSnapshots(players, random.at("snapshots")),
    teamWeeks: tallyTeams(teams, games, players, random.at("scores")),
    opponents: new Map(teams.map(({ code }) => [code, (games.get(code) ?? []).map((game) => opponentIn(game, code))])),
    games,
  };
}

function gamesByTeam(
  teams: readonly Team[],
  schedule: readonly (readonly Game[])[],
): Map<string, (Game | undefined)[]> {
  return new Map(
    teams.map(({ code }) => [
      code,
      schedule.map((week) => week.find((game) => game.home === code || game.away === code)),
    ]),
  );
}

/** A player's weeks: form drifts, injuries last a while, forecasts see a blurred and late picture of it. */
function playSeason(
  prospect: Prospect,
  teams: readonly Team[],
  games: ReadonlyMap<string, readonly (Game | undefined)[]>,
  random: Random,
): Player {
  const projected: number[] = [];
  const actual: number[] = [];
  const preseason: number[] = [];
  let form = 1;
  let weeksOut = 0;
  for (let week = 1; week <= WEEK_COUNT; week++) {
    const game = games.get(prospect.team.code)?.[week - 1];
    form = 1 + 0.8 * (form - 1) + random.normal(0, 0.12);
    weeksOut = weeksOut > 0 ? weeksOut - 1 : random.uniform() < 0.02 ? random.integer(1, 5) : 0;
    preseason.push(game === undefined ? 0 : tenth(prospect.believed));
    if (game === undefined || weeksOut > 0) {
      projected.push(0);
      actual.push(0);
      continue;
    }
    const opponent = teams.find((team) => team.code === opponentIn(game, prospect.team.code)) ?? prospect.team;
    const expected = prospect.level * Math.max(0.2, form) * conditions(prospect, opponent, game);
    const believed = prospect.believed * (1 + 0.5 * (form - 1)) * spread(random, 0.18);
    projected.push(Math.max(0, tenth(believed < 0.4 ? 0 : believed)));
    // Reserves often do not play at all.
    const plays = random.uniform() < expected / 8;
    actual.push(plays ? tenth(random.gamma(2.2, expected / 2.2)) : 0);
  }
  // Before week 1 the forecast of week 1 is the same one.
  preseason[0] = projected[0] ?? 0;
  const { id, name, position, team } = prospect;
  return { id, name, position, team: team.code, projected, actual, preseason };
}

/** Factor of opponent, weather and place on a player's points. */
function conditions(prospect: Prospect, opponent: Team, game: Game): number {
  const offence = prospect.position === "DST" ? 1 : prospect.team.offence;
  const against = opponent.defence[POSITIONS.indexOf(prospect.position)] ?? 1;
  const feelsWind = prospect.position === "QB" || prospect.position === "WR" || prospect.position === "K";
  const wind = feelsWind && game.gust !== undefined ? 1 - Math.max(0, game.gust - 12) * 0.006 : 1;
  const cold = game.temperature === undefined ? 1 : 1 - Math.max(0, Math.abs(game.temperature - 60) - 20) * 0.003;
  const home = !game.neutralSite && game.home === prospect.team.code ? 1.03 : 0.98;
  return offence * against * wind * cold * home;
}

/** Each snapshot lists a position's players roughly by how they are valued that week. */
function drawSnapshots(players: readonly Player[], random: Random): readonly (readonly number[] | undefined)[] {
  return Array.from({ length: SNAPSHOT_COUNT + 1 }, (_, week) => {
    if (week === 0) return undefined;
    const own = random.at(week);
    const value = players.map((p) => (p.projected[Math.min(week, WEEK_COUNT) - 1] ?? 0) + own.normal(0, 1));
    const order = players.map((_, i) => i).sort((a, b) => (value[b] ?? 0) - (value[a] ?? 0));
    return byPositionFile(order, players);
  });
}

/** What each team's players scored and what its defence allowed to each position. */
function tallyTeams(
  teams: readonly Team[],
  games: ReadonlyMap<string, readonly (Game | undefined)[]>,
  players: readonly Player[],
  random: Random,
): ReadonlyMap<string, readonly TeamWeek[]> {
  const points = new Map(teams.map(({ code }) => [code, players.filter((player) => player.team === code)]));
  const scored = (code: string, week: number, position?: string) =>
    tenth(
      (points.get(code) ?? [])
        .filter((player) => player.position !== "DST" && (position === undefined || player.position === position))
        .reduce((sum, player) => sum + (player.actual[week] ?? 0), 0),
    );
  return new Map(
    teams.map(({ code }) => [
      code,
      Array.from({ length: WEEK_COUNT }, (_, week) => {
        const opponent = opponentIn(games.get(code)?.[week], code);
        if (opponent === undefined) return { allowed: [0, 0, 0, 0, 0], pointsScored: 0, pointsAllowed: 0 };
        return {
          allowed: DEFENDED_POSITIONS.map((position) => scored(opponent, week, position)),
          pointsScored: scored(code, week),
          pointsAllowed: Math.round(scored(opponent, week) * 0.2 * spread(random.at(`${code}/${week}`), 0.15)),
        };
      }),
    ]),
  );
}

function opponentIn(game: Game | undefined, team: string): string | undefined {
  if (game === undefined) return undefined;
  return game.home === team ? game.away : game.home;
}

function tenth(points: number): number {
  return Math.round(points * 10) / 10;
}
