import type { GroupRanking, HorizonAccuracy, Metrics } from "../../src/accuracy/accuracy.ts";
import { aggregateHorizon, type SeasonTally } from "../../src/accuracy/averages.ts";
import type { Configuration } from "../../src/config/configuration.ts";
import type { Horizon } from "../../src/horizon.ts";
import { type Player, POSITIONS, type Season } from "../../src/seasons/season.ts";
import { project, restOfSeasonView, type WeekView, weekView } from "./project.ts";
import { type Pair, rankPairs } from "./rank-pairs.ts";

/** Below this a week is too small to rank a player by. */
const RANKED_FROM_POINTS = 3;

interface PlayerPair extends Pair {
  readonly player: Player;
}

/** Evaluates a horizon player by player: slow, obvious, and what the column kernel is compared with. */
export function evaluateByPlayer(
  seasons: readonly Season[],
  horizon: Horizon,
  config: Configuration,
  metrics: Metrics,
): HorizonAccuracy {
  return aggregateHorizon(seasons.map((season) => seasonTally(season, horizon, config, metrics)));
}

function seasonTally(season: Season, horizon: Horizon, config: Configuration, metrics: Metrics): SeasonTally {
  const views = horizonViews(season, horizon, config);
  let totalError = 0;
  let playerCount = 0;
  const groups: GroupRanking[] = [];
  for (const pairs of views.map((view) => pairsOf(view, horizon, config))) {
    for (const pair of pairs) {
      totalError += Math.abs(pair.actual - pair.projected);
      playerCount++;
    }
    if (metrics === "mae") continue;
    for (const position of POSITIONS) {
      const population = pairs.filter((p) => p.player.position === position && p.actual >= RANKED_FROM_POINTS);
      groups.push(rankPairs(position, population));
    }
  }
  return {
    name: season.name,
    totalError,
    playerCount,
    weeksEvaluated: views.length,
    weeksRequested: horizon.weeks === undefined ? 1 : horizon.weeks[1] - horizon.weeks[0] + 1,
    groups: metrics === "mae" ? undefined : groups,
  };
}

/** Views of the weeks for which both the projections and, a week later, the actuals are known. */
function horizonViews(season: Season, horizon: Horizon, config: Configuration): readonly WeekView[] {
  if (horizon.weeks === undefined) {
    const known = season.snapshots[1]?.every((idx) => season.players[idx]?.preseason !== undefined) ?? false;
    return known ? [restOfSeasonView(season, config)] : [];
  }
  const [first, last] = horizon.weeks;
  const weeks = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  return weeks
    .filter((week) => season.leftOut?.has(week) !== true)
    .filter((week) => season.snapshots[week] !== undefined && season.snapshots[week + 1] !== undefined)
    .map((week) => weekView(season, week, config));
}

/** Players who scored, in the load order of the snapshot their actuals come from. */
function pairsOf(view: WeekView, horizon: Horizon, config: Configuration): readonly PlayerPair[] {
  const { season, week } = view;
  const projectedIn = new Set(season.snapshots[week] ?? []);
  const actualsIn =
    (horizon.weeks === undefined ? season.snapshots.findLast((s) => s !== undefined) : season.snapshots[week + 1]) ??
    [];
  return actualsIn
    .filter((idx) => projectedIn.has(idx))
    .flatMap((idx) => season.players[idx] ?? [])
    .map((player) => ({
      player,
      name: player.name,
      actual:
        horizon.weeks === undefined ? player.actual.reduce((sum, a) => sum + a, 0) : (player.actual[week - 1] ?? 0),
      projected: Number.NaN,
    }))
    .filter((pair) => pair.actual > 0)
    .map((pair) => ({ ...pair, projected: project(view, pair.player, config).projected }));
}
