// For those who make a pool of workers that run elsewhere: what a worker does, what it and its pool say to each other.

export { missingOnDisk } from "./code-version/disk-needs.ts";
export { evaluatorName, findEvaluator } from "./code-version/evaluator-name.ts";
export { ChunkSize } from "./pools/crew/chunk-size.ts";
export { crewPool } from "./pools/crew/crew.ts";
export { OpenTasks, soon } from "./pools/crew/open-tasks.ts";
export { LOSS_BUDGET, lossFailure } from "./pools/crew/task-results.ts";
export { type CrewOptions, crewSettings } from "./pools/pool-options.ts";
export { type LastStart, monotonicMs } from "./worker/current-task.ts";
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
