import { HORIZONS } from "../horizon.ts";
import { hasPreseason, type Player, type Season } from "../seasons/season.ts";
import type { ViewHeader } from "./columns.ts";

/** A view with the players whose actual points are known and positive, in the order their actuals were loaded in. */
export interface SeasonView extends ViewHeader {
  readonly of: Season;
  readonly rows: readonly ViewRow[];
}

interface ViewRow {
  /** Place in the season's list. */
  readonly idx: number;
  readonly player: Player;
  readonly raw: number;
  readonly actual: number;
}

/** The views of a season, horizon by horizon, weeks ascending; without weeks that lack a snapshot or are left out. */
export function seasonViews(season: Season, s: number): readonly SeasonView[] {
  return HORIZONS.flatMap((horizon, h) => {
    if (horizon.weeks === undefined) {
      if (!hasPreseason(season)) return [];
      const last = season.snapshots.findLast((snapshot) => snapshot !== undefined);
      return view(
        { season: s, horizon: h, week: 1 },
        season,
        last,
        (p) => sum(p.preseason ?? []),
        (p) => sum(p.actual),
      );
    }
    const [first, last] = horizon.weeks;
    const weeks = Array.from({ length: last - first + 1 }, (_, i) => first + i);
    return weeks
      .filter((week) => season.leftOut?.has(week) !== true)
      .flatMap((week) =>
        view(
          { season: s, horizon: h, week },
          season,
          season.snapshots[week + 1],
          (player) => player.projected[week - 1] ?? 0,
          (player) => player.actual[week - 1] ?? 0,
        ),
      );
  });
}

function view(
  place: Omit<ViewHeader, "max">,
  season: Season,
  actualsIn: readonly number[] | undefined,
  rawOf: (player: Player) => number,
  actualOf: (player: Player) => number,
): readonly SeasonView[] {
  const projectedIn = season.snapshots[place.week];
  if (projectedIn === undefined || actualsIn === undefined) return [];
  let max = 0;
  for (const idx of projectedIn) max = Math.max(max, rawOf(season.players[idx]));
  const loaded = new Set(projectedIn);
  const rows = actualsIn
    .filter((idx) => loaded.has(idx))
    .map((idx) => ({ idx, player: season.players[idx], actual: actualOf(season.players[idx]) }))
    .filter((row) => row.actual > 0)
    .map((row) => ({ ...row, raw: rawOf(row.player) }));
  return [{ ...place, max, of: season, rows }];
}

function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
