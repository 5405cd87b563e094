import { UsageError } from "@coppice/engine/usage-error";
import { HORIZONS, type Horizon } from "../horizon.ts";
import { withoutLowCoverage } from "./coverage.ts";
import { hasPreseason, type Season, type SeasonSet } from "./season.ts";
import { isSeasonFiles, readSeasonFiles } from "./season-files.ts";
import { DataSource } from "./source.ts";
import { readWeeklyFiles } from "./weekly-files.ts";

/** Reads every season of a data folder, whichever of the two layouts it has. */
export function loadSeasons(folder: string): SeasonSet {
  const source = new DataSource(folder);
  const seasons = isSeasonFiles(source) ? readSeasonFiles(source) : readWeeklyFiles(source);
  return { seasons, warnings: source.warnings, digest: source.digest() };
}

/** Which seasons configurations are judged on. */
export interface SeasonChoice {
  readonly data: string;
  /** Only these; all without. */
  readonly seasons?: readonly string[];
  /** A season to leave out of the tuning. */
  readonly holdout?: string;
  readonly excludeLowCoverageWeeks?: boolean;
}

/** Seasons as they are judged: what is left out is said in the warnings. */
export interface JudgedSeasons extends SeasonSet {
  /** All but the one held out. */
  readonly tuned: readonly Season[];
  readonly left: Season | undefined;
}

export function judgedSeasons(choice: SeasonChoice): JudgedSeasons {
  const { data, seasons: wanted, holdout, excludeLowCoverageWeeks = false } = choice;
  const { digest, ...all } = loadSeasons(data);
  const names = all.seasons.map((season) => season.name);
  const unknown = wanted?.find((name) => !names.includes(name));
  if (unknown !== undefined || wanted?.length === 0) {
    throw new UsageError(`--seasons ${wanted?.join(",")}: the data has seasons ${names.join(", ")}`);
  }
  const isWanted = (name: string) => wanted === undefined || wanted.includes(name) || name === holdout;
  const loaded = { ...all, seasons: all.seasons.filter(({ name }) => isWanted(name)) };
  const { seasons, notices } = excludeLowCoverageWeeks
    ? withoutLowCoverage(loaded.seasons)
    : { seasons: loaded.seasons, notices: [] };
  const left = seasons.find((season) => season.name === holdout);
  if (holdout !== undefined && left === undefined) {
    throw new UsageError(`--holdout ${holdout}: the data has seasons ${names.join(", ")}`);
  }
  const tuned = seasons.filter((season) => season !== left);
  if (tuned.length === 0) throw new UsageError(`--holdout ${holdout} leaves no season to tune on`);
  return { digest, seasons, tuned, left, warnings: [...loaded.warnings, ...notices] };
}

/** Refuses `ros` when there is nothing to see it from. */
export function checkPreseason(horizons: readonly Horizon[], seasons: readonly Season[]): void {
  const without = seasons.find((season) => !hasPreseason(season));
  if (without === undefined || horizons.every((horizon) => horizon.weeks !== undefined)) return;
  const others = HORIZONS.filter((horizon) => horizon.weeks !== undefined).map((horizon) => horizon.name);
  throw new UsageError(
    `season ${without.name} has no preseason projections, which ros needs; leave it out with --horizons ${others.join(",")}`,
  );
}
