import { availableParallelism } from "node:os";

/** One per core, but at least two, or there would be nothing to compare; more than a dozen would wait for each other. */
export function usualWorkers(): number {
  return Math.min(12, Math.max(2, availableParallelism()));
}
