// For those who read runs: what is in a run's directory, its state, what happened in it, whether it can be reproduced.
export type { JournalEntry } from "./journal/entry.ts";
export { type History, readHistory } from "./journal/history.ts";
export { JournalDamaged, type LinesRead, readJournal } from "./journal/reader.ts";
export { type FollowedRun, RunFollower } from "./readers/run-follower.ts";
export { REPORT_NAME, readReport, writeReport } from "./report/read-report.ts";
export { renderRun } from "./report/render-run.ts";
export type * from "./report/run-report.ts";
export { LOCK_STALE_MS, refuseIfLocked, runningProcess } from "./run-directory/lock.ts";
export { neverBegan } from "./run-directory/open-run.ts";
export { type ResultProblem, resultProblem } from "./run-directory/result-check.ts";
export { type ResultFile, readResultFile } from "./run-directory/result-file.ts";
export { JOURNAL_NAME, type RunFile, readRunFile } from "./run-directory/run-file.ts";
export { type RunSummary, summarizeRun } from "./run-directory/run-summary.ts";
export { DEFAULT_RUNS, findRun, runIds } from "./run-directory/runs.ts";
export { diffRuns, type FirstDifference, type RunDiff } from "./verify/diff.ts";
export { type Problem, type Verification, type VerifyOptions, verifyRun } from "./verify/verify.ts";
