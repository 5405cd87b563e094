// Projections of players for programs: seasons, configurations, how well they forecast, and tuning them.

export type { HorizonAccuracy, Metrics } from "./accuracy/accuracy.ts";
export { readBaseline, writeBaseline } from "./config/baseline.ts";
export { type Configuration, readConfiguration } from "./config/configuration.ts";
export { PARAMETERS } from "./config/parameters.ts";
export { STARTING_PARAMETERS, startingBaseline } from "./config/starting-point.ts";
export { HORIZONS, type Horizon } from "./horizon.ts";
export type { HorizonReport, TuningReport } from "./report/tuning-report.ts";
export { loadSeasons } from "./seasons/load.ts";
export type { Season, SeasonSet } from "./seasons/season.ts";
export { writeSeasonFiles } from "./seasons/write-season-files.ts";
export { generateSeasons } from "./synthetic/generate.ts";
export { writeDemo } from "./synthetic/write-demo.ts";
export { AccuracyRunner, type AccuracyRunnerOptions } from "./tuning/accuracy-runner.ts";
export { footballTournament } from "./tuning/football-tuning.ts";
export { type TuningContext, tuningEvaluator } from "./tuning/judge.ts";
export { type ObjectiveName, objectives } from "./tuning/objective.ts";
export { type PreparedTune, prepareTune } from "./tuning/prepare-tune.ts";
export { asParameter, footballParameters } from "./tuning/ranges-file.ts";
export { type TuneChoices, tuneOptions } from "./tuning/tune-choices.ts";
export type { CustomOptions, FootballOptions, TuneOptions } from "./tuning/tuning.ts";
