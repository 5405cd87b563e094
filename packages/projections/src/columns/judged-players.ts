import { UsageError } from "@coppice/engine/usage-error";
import { HORIZONS, type Horizon } from "../horizon.ts";
import { POSITIONS } from "../seasons/season.ts";
import type { Columns } from "./columns.ts";

/**
 * Refuses horizons on which nobody is judged: an error of nobody is not a result. Says in which seasons and positions there
 * is nobody; these count nowhere.
 */
export function checkJudged({ header, groupRows }: Columns, horizons: readonly Horizon[]): readonly string[] {
  const counts = (horizon: Horizon, season?: number) =>
    POSITIONS.map((_, p) =>
      header.views.reduce((sum, view, v) => {
        if (HORIZONS[view.horizon] !== horizon || (season !== undefined && view.season !== season)) return sum;
        const group = v * POSITIONS.length + p;
        return sum + groupRows[group + 1] - groupRows[group];
      }, 0),
    );
  const nobody = (each: readonly number[]) => each.every((count) => count === 0);
  const seasons = header.seasons.join(", ");
  return horizons.flatMap((horizon) => {
    const whole = counts(horizon);
    if (nobody(whole)) {
      throw new UsageError(
        `nobody is judged on ${horizon.name} in ${seasons}: no player has a snapshot of the week, one of the week after, and points`,
      );
    }
    const empty = header.seasons.filter((_, s) => nobody(counts(horizon, s)));
    const missing = POSITIONS.filter((_, p) => whole[p] === 0);
    return [
      ...empty.map((season) => `nobody is judged on ${horizon.name} in ${season}: the season does not count there`),
      ...(missing.length === 0 ? [] : [`nobody is judged on ${horizon.name} as ${missing.join(", ")}`]),
    ];
  });
}
