// The light way to the parallel map: nothing else of the engine is loaded.
export type { WorkKind } from "./held-slot.ts";
export { Limiter } from "./limiter.ts";
export * from "./parallel-map.ts";
export { backoffMs, type RetryOptions, retryDelayMs } from "./retry.ts";
export { type ProgressTarget, stderrProgress } from "./stderr-progress.ts";
