export * from "./accuracy/accuracy.ts";
export { buildColumns } from "./columns/build.ts";
export { ColumnEvaluator } from "./columns/column-evaluator.ts";
export type { Columns } from "./columns/columns.ts";
export { shareColumns } from "./columns/shared-columns.ts";
export { hasPreseason } from "./columns/views.ts";
export {
  type Baseline,
  type HorizonFile,
  readBaseline,
  readConfigurationFile,
  writeBaseline,
} from "./config/baseline.ts";
export { type Configuration, HORIZON_KEYS, type HorizonParameters, readConfiguration } from "./config/configuration.ts";
export { PARAMETERS, type TunableParameter } from "./config/parameters.ts";
export { STARTING_PARAMETERS, startingBaseline } from "./config/starting-point.ts";
export { HORIZONS, type Horizon, horizonsNamed } from "./horizon.ts";
export { withoutLowCoverage } from "./seasons/coverage.ts";
export { loadSeasons } from "./seasons/load.ts";
export * from "./seasons/season.ts";
export { writeSeasonFiles } from "./seasons/write-season-files.ts";
export { generateSeasons } from "./synthetic/generate.ts";
export * from "./tuning/accuracy-runner.ts";
export type { CalibrationBin, ErrorProfile } from "./tuning/calibration.ts";
export * from "./tuning/football-tournament.ts";
export type { TuningContext } from "./tuning/judge.ts";
export { tuningEvaluator } from "./tuning/judge.ts";
export {
  type HorizonResult,
  horizonResult,
  OBJECTIVE_METRICS,
  OBJECTIVES,
  type ObjectiveName,
  objectives,
} from "./tuning/objective.ts";
export * from "./tuning/report.ts";
export { type Standing, writeIntermediate, writeWinners } from "./tuning/winners.ts";
