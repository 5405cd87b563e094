// For those who start runs. What else there is has an entry of its own, named after who needs it:
// /evaluator modules loaded in workers, /worker pools made elsewhere, /records those who read runs, /display those who show
// them, /page HTML, /pools names of pools, /parallel-map, /child-process, /files and /usage-error the light ways to these.

export { type EvaluationCache, openCache, type PruneLimits } from "./cache/evaluation-cache.ts";
export { CacheError } from "./cache/schema.ts";
export * from "./contract/evaluator.ts";
export * from "./contract/event.ts";
export * from "./contract/outcome.ts";
export * from "./contract/pool.ts";
export * from "./contract/run-module.ts";
export * from "./contract/search.ts";
export * from "./contract/task-policy.ts";
export {
  type BudgetSplit,
  CoreBudget,
  type WorkerGrant,
  type WorkerRequest,
  waitingWorkers,
} from "./cores/core-budget.ts";
export { SearchError } from "./driver/driver.ts";
export type { EventListener } from "./driver/event-stream.ts";
export * from "./driver/run.ts";
export { ReplayMismatch } from "./driver/run-record.ts";
export { start } from "./driver/start.ts";
export type { JournalOptions, StartOptions } from "./driver/start-options.ts";
export { type Durability, JournalWriteError } from "./journal/writer.ts";
export { concurrent, inline } from "./pools/in-process.ts";
export { processes } from "./pools/processes.ts";
export { threads } from "./pools/threads.ts";
export * from "./pools.ts";
export { Random, type RandomState, random } from "./random/random.ts";
export { createRunDirectory } from "./run-directory/runs.ts";
export * from "./session/module-run.ts";
export * from "./session/prepared-run.ts";
export * from "./session/reserved-directory.ts";
export * from "./session/run-to-end.ts";
export { addTimerTotals, type TimerShare, timerShares } from "./timers/shares.ts";
export { drainTimers, enableTimers, timed } from "./timers/timed.ts";
export { UsageError } from "./usage-error.ts";
export { decode, encode, ValueRefused } from "./values/encode.ts";
export { COPPICE_VERSION } from "./version.ts";
