export type { HorizonAccuracy, Metrics } from "./accuracy/accuracy.ts";
export { buildColumns } from "./columns/build.ts";
export { ColumnEvaluator } from "./columns/column-evaluator.ts";
export type { Columns } from "./columns/columns.ts";
export { shareColumns } from "./columns/shared-columns.ts";
export { readBaseline, writeBaseline } from "./config/baseline.ts";
export { type Configuration, readConfiguration } from "./config/configuration.ts";
export { PARAMETERS } from "./config/parameters.ts";
export { STARTING_PARAMETERS, startingBaseline } from "./config/starting-point.ts";
export { compareFolders } from "./folders/compare.ts";
export { type Answer, type MeasureOptions, measureFolder } from "./folders/measure.ts";
export { promoteWinners } from "./folders/promote.ts";
export { HORIZONS, type Horizon } from "./horizon.ts";
export type {
  Comparison,
  extentOf,
  HorizonReport,
  lowAccuracy,
  ReportInput,
  TuningReport,
  tuningReport,
} from "./report/report.ts";
export { loadSeasons } from "./seasons/load.ts";
export type {
  byPositionFile,
  DEFENDED_POSITIONS,
  Game,
  hasPreseason,
  isPosition,
  Player,
  POSITIONS,
  Position,
  Season,
  SeasonSet,
  SNAPSHOT_COUNT,
  TeamWeek,
  WEEK_COUNT,
} from "./seasons/season.ts";
export { writeSeasonFiles } from "./seasons/write-season-files.ts";
export { writeDemo } from "./synthetic/demo.ts";
export { generateSeasons } from "./synthetic/generate.ts";
export { AccuracyRunner, type AccuracyRunnerOptions } from "./tuning/accuracy-runner.ts";
export { asParameter, footballTournament } from "./tuning/football-tuning.ts";
export { type TuningContext, tuningEvaluator } from "./tuning/judge.ts";
export { type ObjectiveName, objectives } from "./tuning/objective.ts";
export { type PreparedTune, prepareTune } from "./tuning/prepare-tune.ts";
export type { CustomOptions, FootballOptions, TuneOptions } from "./tuning/tuning.ts";
