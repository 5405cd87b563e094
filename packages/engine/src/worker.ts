// For those who make a pool of workers that run elsewhere: what a worker does, what it and its pool say to each other.
export { ChunkSize } from "./pools/chunk-size.ts";
export { crewPool } from "./pools/crew.ts";
export { OpenTasks, soon } from "./pools/open-tasks.ts";
export { type CrewOptions, crewSettings } from "./pools/pool-options.ts";
export { LOSS_BUDGET, lossFailure } from "./pools/task-results.ts";
export { type LastStart, monotonicMs } from "./worker/current-task.ts";
export { findEvaluator } from "./worker/evaluator-name.ts";
export { FrameReader, frame } from "./worker/frames.ts";
export { ownProcess } from "./worker/own-process.ts";
export { type RunnerLink, TaskRunner } from "./worker/task-runner.ts";
export type * from "./worker/worker-link.ts";
export {
  arrivedJob,
  type CarriedJob,
  carriedJob,
  type FromWorker,
  type ToWorker,
  type WorkerJob,
} from "./worker/worker-message.ts";
