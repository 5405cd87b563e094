// The light way to the parallel map: nothing else of the engine is loaded.
export type { WorkKind } from "./parallel-map/held-slot.ts";
export * from "./parallel-map/parallel-map.ts";
export { type RetryOptions, retryDelayMs } from "./parallel-map/retry.ts";
export { type ProgressTarget, stderrProgress } from "./parallel-map/stderr-progress.ts";
