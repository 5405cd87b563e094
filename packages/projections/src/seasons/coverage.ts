import { type Season, WEEK_COUNT } from "./season.ts";

/** A week in which fewer of the players who could play were projected says little about a model. */
const LEAST_COVERAGE = 0.5;

/** A week of a season and the share of its players, those on a bye left aside, that were projected. */
export interface WeekCoverage {
  readonly week: number;
  readonly coverage: number;
}

/** Weeks in which less than half of the loaded players whose team plays have a projection above 0. */
export function lowCoverageWeeks(season: Season): readonly WeekCoverage[] {
  const weeks: WeekCoverage[] = [];
  for (let week = 1; week <= WEEK_COUNT; week++) {
    const loaded = (season.snapshots[week] ?? []).map((idx) => season.players[idx]);
    const eligible = loaded.filter(({ team }) => season.opponents.get(team)?.[week - 1] !== undefined);
    const projected = eligible.filter((player) => (player.projected[week - 1] ?? 0) > 0);
    const coverage = projected.length / eligible.length;
    if (coverage < LEAST_COVERAGE) weeks.push({ week, coverage });
  }
  return weeks;
}

/** Seasons that are not judged on their weeks of low coverage, and a line for each such week. */
export function withoutLowCoverage(seasons: readonly Season[]): {
  readonly seasons: readonly Season[];
  readonly notices: readonly string[];
} {
  const notices: string[] = [];
  const kept = seasons.map((season) => {
    const low = lowCoverageWeeks(season);
    for (const { week, coverage } of low) {
      const percent = (coverage * 100).toFixed(1);
      notices.push(`season ${season.name}, week ${week} is left out: only ${percent} % of its players were projected`);
    }
    return low.length === 0 ? season : { ...season, leftOut: new Set(low.map(({ week }) => week)) };
  });
  return { seasons: kept, notices };
}
