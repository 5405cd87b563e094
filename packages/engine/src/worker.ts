// For those who make a pool of workers that run elsewhere: what a worker does, what it and its pool say to each other.
export { crewPool } from "./pools/crew.ts";
export type { CrewOptions } from "./pools/pool-options.ts";
export { captureOutput } from "./worker/captured-output.ts";
export { type LastStart, monotonicMs } from "./worker/current-task.ts";
export { describeFailure } from "./worker/describe-failure.ts";
export { findEvaluator } from "./worker/evaluator-name.ts";
export { FrameReader, frame } from "./worker/frames.ts";
export { type RunnerLink, TaskRunner } from "./worker/task-runner.ts";
export type * from "./worker/worker-link.ts";
export { type FromWorker, type ToWorker, type WorkerJob, workerJob } from "./worker/worker-message.ts";
