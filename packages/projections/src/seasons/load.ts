import type { SeasonSet } from "./season.ts";
import { isSeasonFiles, readSeasonFiles } from "./season-files.ts";
import { DataSource } from "./source.ts";
import { readWeeklyFiles } from "./weekly-files.ts";

/** Reads every season of a data folder, whichever of the two layouts it has. */
export function loadSeasons(folder: string): SeasonSet {
  const source = new DataSource(folder);
  const seasons = isSeasonFiles(source) ? readSeasonFiles(source) : readWeeklyFiles(source);
  return { seasons, warnings: source.warnings, digest: source.digest() };
}
