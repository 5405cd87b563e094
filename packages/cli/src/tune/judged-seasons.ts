import { loadSeasons, type SeasonSet, withoutLowCoverage } from "@coppice/projections";

/** The seasons of a folder, as they are to be judged; what is left out is said in the warnings. */
export function judgedSeasons(folder: string, excludeLowCoverageWeeks = false): SeasonSet {
  const set = loadSeasons(folder);
  if (!excludeLowCoverageWeeks) return set;
  const { seasons, notices } = withoutLowCoverage(set.seasons);
  return { ...set, seasons, warnings: [...set.warnings, ...notices] };
}
