// The public face: what a program needs that defines a search and starts a run. What tools built on the engine need has
// an entry of its own, named after who needs it; docs/architecture.md lists them.

export { type EvaluationCache, openCache, type PruneLimits } from "./cache/evaluation-cache.ts";
export { CacheError } from "./cache/schema.ts";
export {
  type CandidateOf,
  defineEvaluator,
  type Evaluator,
  type EvaluatorAt,
  evaluatorAt,
  type Resources,
  type Task,
  type TaskProgress,
  type ValueOf,
} from "./contract/evaluator.ts";
export type { Reproducible, ResumeFacts, RunEnd, RunEvent, RunStart, TimerTotals } from "./contract/event.ts";
export { type Failure, failureType, type Outcome } from "./contract/outcome.ts";
export type { PoolFactory } from "./contract/pool.ts";
export { defineRun, type RunDefinition, type RunGiven, type RunOption } from "./contract/run-module.ts";
export type {
  ProgressLevel,
  Proposal,
  Search,
  SearchNews,
  SearchProgress,
  SearchTree,
  SearchTreeNode,
} from "./contract/search.ts";
export type { TaskGroup, TaskPolicy } from "./contract/task-policy.ts";
export type { EventListener } from "./driver/event-stream.ts";
export { type Run, type RunDone, RunNotDone } from "./driver/run.ts";
export { ReplayMismatch } from "./driver/run-record.ts";
export { SearchError } from "./driver/search-contract.ts";
export { start } from "./driver/start.ts";
export type { JournalOptions, StartOptions } from "./driver/start-options.ts";
export { type Durability, JournalWriteError } from "./journal/writer.ts";
export { concurrent, inline } from "./pools/in-process.ts";
export type { CrewOptions } from "./pools/pool-options.ts";
export { processes } from "./pools/processes.ts";
export { threads } from "./pools/threads.ts";
export { Random, type RandomState, random } from "./random/random.ts";
export { timed } from "./timers/timed.ts";
export { UsageError } from "./usage-error.ts";
export { ValueRefused } from "./values/encode.ts";
