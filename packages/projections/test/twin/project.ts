import type { Configuration } from "../../src/config/configuration.ts";
import { multiplierAt } from "../../src/config/ladder.ts";
import { type Player, type Season, WEEK_COUNT } from "../../src/seasons/season.ts";
import { exactMean } from "./exact-mean.ts";
import { matchupRank, type TeamRanks, teamRanks } from "./team-ranks.ts";

/** A projection with the score after every step, as it was computed. */
export interface TracedProjection {
  readonly raw: number;
  readonly normalised: number;
  readonly teamQualityRank: number | undefined;
  readonly afterTeamQuality: number;
  readonly performanceDeviation: number | undefined;
  readonly afterPerformance: number;
  readonly matchupRank: number | undefined;
  readonly afterMatchup: number;
  readonly afterTemperature: number;
  readonly afterWind: number;
  readonly score: number;
  readonly projected: number;
}

/** What every player of a week (or of the rest-of-season view) shares. */
export interface WeekView {
  readonly season: Season;
  readonly week: number;
  readonly raw: (player: Player) => number;
  readonly max: number;
  readonly ranks: TeamRanks;
}

/** The view of one week from its own snapshot. */
export function weekView(season: Season, week: number, config: Configuration): WeekView {
  return view(season, week, config, (player) => player.projected[week - 1] ?? 0);
}

/** The view of the whole season from before week 1. */
export function restOfSeasonView(season: Season, config: Configuration): WeekView {
  return view(season, 1, config, (player) => sum(player.preseason ?? []));
}

function view(season: Season, week: number, config: Configuration, raw: (player: Player) => number): WeekView {
  const loaded = (season.snapshots[week] ?? []).flatMap((idx) => season.players[idx] ?? []);
  return {
    season,
    week,
    raw,
    max: loaded.reduce((max, player) => Math.max(max, raw(player)), 0),
    ranks: teamRanks(season, week, config.teamQuality.minWeeks, config.matchup.minWeeks),
  };
}

/** One player's projection, one step after the other, in the published order of operations. */
export function project(view: WeekView, player: Player, config: Configuration): TracedProjection {
  const { season, week, max, ranks } = view;
  const scale = config.normalizationMaxScale;
  const raw = view.raw(player);
  let score = raw > 0 && max > 0 ? (raw / max) * scale : 0;
  const normalised = score;

  const isDefence = player.position === "DST";
  const teamQualityRank = (isDefence ? ranks.dstFantasy : ranks.offensive).get(player.team);
  if (teamQualityRank !== undefined) score *= multiplierAt(config.teamQuality.ladder, teamQualityRank);
  const afterTeamQuality = score;

  const deviation = isDefence ? undefined : performanceDeviation(player, week, config.performance.minWeeks);
  if (deviation !== undefined) score *= multiplierAt(config.performance.ladder, deviation);
  const afterPerformance = score;

  const rank = matchupRank(ranks, season.opponents.get(player.team)?.[week - 1], player.position);
  if (rank !== undefined) score += bonus(config.matchup.impactScale, multiplierAt(config.matchup.ladder, rank));
  const afterMatchup = score;

  const game = season.games.get(player.team)?.[week - 1];
  const outdoors = game !== undefined && !game.indoor;
  if (outdoors && game.temperature !== undefined) {
    const distance = Math.abs(game.temperature - config.temperature.ideal);
    score += bonus(config.temperature.impactScale, multiplierAt(config.temperature.ladder, distance));
  }
  const afterTemperature = score;

  const feelsWind = player.position === "QB" || player.position === "WR" || player.position === "K";
  if (outdoors && feelsWind && game.gust !== undefined) {
    score += bonus(config.wind.impactScale, multiplierAt(config.wind.ladder, game.gust));
  }
  const afterWind = score;

  if (game !== undefined) {
    const atHome = game.home === player.team && !game.neutralSite;
    const { home, away, international } = config.location;
    score += game.country !== "USA" ? international : atHome ? home : away;
  }
  return {
    raw,
    normalised,
    teamQualityRank,
    afterTeamQuality,
    performanceDeviation: deviation,
    afterPerformance,
    matchupRank: rank,
    afterMatchup,
    afterTemperature,
    afterWind,
    score,
    projected: scale <= 0 || max <= 0 ? 0 : (score / scale) * max,
  };
}

/** Mean of (actual − projected) / projected over the latest `minWeeks` played weeks; undefined with fewer samples. */
function performanceDeviation(player: Player, week: number, minWeeks: number): number | undefined {
  const samples: number[] = [];
  const earliest = Math.max(1, week - 2 * minWeeks);
  for (let w = Math.min(week - 1, WEEK_COUNT); w >= earliest && samples.length < minWeeks; w--) {
    const actual = player.actual[w - 1] ?? 0;
    const projected = player.projected[w - 1] ?? 0;
    if (actual > 0 && projected > 0) samples.push((actual - projected) / projected);
  }
  return samples.length < minWeeks ? undefined : exactMean(samples);
}

function bonus(impact: number, multiplier: number): number {
  return impact * multiplier - impact;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
