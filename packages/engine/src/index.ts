export {
  type CacheScope,
  cacheScope,
  type EvaluationCache,
  openCache,
  type PruneLimits,
} from "./cache/evaluation-cache.ts";
export { CacheError } from "./cache/schema.ts";
export * from "./contract/evaluator.ts";
export * from "./contract/event.ts";
export * from "./contract/outcome.ts";
export * from "./contract/pool.ts";
export * from "./contract/run-module.ts";
export * from "./contract/search.ts";
export type { TaskGroup, TaskPolicy } from "./contract/task-policy.ts";
export {
  type BudgetSplit,
  CoreBudget,
  type WorkerGrant,
  type WorkerRequest,
  waitingWorkers,
} from "./cores/core-budget.ts";
export { announcement } from "./display/announcements.ts";
export * from "./display/figures.ts";
export { PlainLines, type PlainLinesOptions } from "./display/plain-lines.ts";
export { type RunCounts, type RunSnapshot, RunView } from "./display/run-view.ts";
export { levelsLine, overallFraction, progressLine, summaryLine, summaryParts } from "./display/summary-line.ts";
export { type TableColumn, tableText } from "./display/table-text.ts";
export type { WorkerView } from "./display/worker-row.ts";
export { SearchError } from "./driver/driver.ts";
export type { EventListener } from "./driver/event-stream.ts";
export * from "./driver/run.ts";
export { ReplayMismatch } from "./driver/run-record.ts";
export { start } from "./driver/start.ts";
export type { JournalOptions, StartOptions } from "./driver/start-options.ts";
export type { JournalEntry } from "./journal/entry.ts";
export { type History, readHistory } from "./journal/history.ts";
export { JournalDamaged, type LinesRead, readJournal } from "./journal/reader.ts";
export { type Durability, JournalWriteError } from "./journal/writer.ts";
export type { WorkKind } from "./parallel-map/held-slot.ts";
export {
  type MapOptions,
  type MapProgress,
  type MapResult,
  type MapTask,
  MapTimeout,
  parallelMap,
} from "./parallel-map/parallel-map.ts";
export { type RetryOptions, retryDelayMs } from "./parallel-map/retry.ts";
export { type ProgressTarget, stderrProgress } from "./parallel-map/stderr-progress.ts";
export { concurrent, inline } from "./pools/in-process.ts";
export { processes } from "./pools/processes.ts";
export { threads } from "./pools/threads.ts";
export * from "./pools.ts";
export { Random, type RandomState, random } from "./random/random.ts";
export { type FollowedRun, RunFollower } from "./readers/run-follower.ts";
export { RunLogs } from "./readers/run-logs.ts";
export { reportPage } from "./report/page.ts";
export { REPORT_NAME, readReport, writeReport } from "./report/read-report.ts";
export { renderRun } from "./report/render-run.ts";
export { ReportBuilder } from "./report/report-builder.ts";
export type * from "./report/run-report.ts";
export { LOCK_STALE_MS, runningProcess } from "./run-directory/lock.ts";
export { JOURNAL_NAME, neverBegan } from "./run-directory/open-run.ts";
export { type ResultFile, readResultFile } from "./run-directory/result-file.ts";
export { type RunFile, readRunFile } from "./run-directory/run-file.ts";
export { checkRunId, createRunDirectory, DEFAULT_RUNS, findRun, runIds } from "./run-directory/runs.ts";
export { type LoadedModule, loadModule, prepareModule, prepareRecordedModule } from "./session/module-run.ts";
export type { PreparedRun, RunShapeChoices } from "./session/prepared-run.ts";
export { type ReservedDirectory, reserveDirectory } from "./session/reserved-directory.ts";
export {
  type EndedRun,
  type EndedSession,
  type RunOrigin,
  runToEnd,
  type SessionOptions,
} from "./session/run-to-end.ts";
export { addTimerTotals, type TimerShare, timerShares } from "./timers/shares.ts";
export { drainTimers, enableTimers, timed } from "./timers/timed.ts";
export { UsageError } from "./usage-error.ts";
export { decode, encode, ValueRefused } from "./values/encode.ts";
export { diffRuns, type FirstDifference, type RunDiff } from "./verify/diff.ts";
export { type Problem, type Verification, type VerifyOptions, verifyRun } from "./verify/verify.ts";
export { COPPICE_VERSION } from "./version.ts";
