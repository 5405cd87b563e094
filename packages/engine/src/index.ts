export { CacheError } from "./cache/cache-error.ts";
export { type EvaluationCache, openCache, type PruneLimits } from "./cache/evaluation-cache.ts";
export { type CacheScope, cacheScope } from "./cache/scope.ts";
export * from "./contract/evaluator.ts";
export * from "./contract/event.ts";
export * from "./contract/outcome.ts";
export * from "./contract/pool.ts";
export * from "./contract/search.ts";
export {
  type BudgetSplit,
  CoreBudget,
  type WorkerGrant,
  type WorkerRequest,
  waitingWorkers,
} from "./cores/core-budget.ts";
export type { WorkKind } from "./parallel-map/held-slot.ts";
export {
  type MapOptions,
  type MapProgress,
  type MapResult,
  type MapTask,
  MapTimeout,
  parallelMap,
} from "./parallel-map/parallel-map.ts";
export type { RetryOptions } from "./parallel-map/retry.ts";
export { type ProgressTarget, stderrProgress } from "./parallel-map/stderr-progress.ts";
export { inline } from "./pools/inline.ts";
export { processes } from "./pools/processes.ts";
export { threads } from "./pools/threads.ts";
export { Random, type RandomState, random } from "./random/random.ts";
export { endText, failedText, resumedText, startedText } from "./readers/announcements.ts";
export * from "./readers/figures.ts";
export { overallFraction, type ProgressLineOptions, progressLine } from "./readers/levels.ts";
export { PlainLines, type PlainLinesOptions } from "./readers/plain-lines.ts";
export type { RunReader } from "./readers/reader.ts";
export { reportPage } from "./readers/report/page.ts";
export { renderRun } from "./readers/report/render-run.ts";
export { ReportBuilder } from "./readers/report/report-builder.ts";
export type * from "./readers/report/run-report.ts";
export { RunLogs } from "./readers/run-logs.ts";
export { type RunCounts, type RunSnapshot, RunView } from "./readers/run-view.ts";
export { levelsLine, summaryLine, summaryParts } from "./readers/summary-line.ts";
export type { WorkerView } from "./readers/worker-row.ts";
export { addTimerTotals, type TimerShare, timerShares } from "./timers/shares.ts";
export { drainTimers, enableTimers, timed } from "./timers/timed.ts";
export { decode, encode, ValueRefused } from "./values/encode.ts";
