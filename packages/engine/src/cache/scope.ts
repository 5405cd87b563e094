import { hash } from "node:crypto";

/** Everything besides its key that an evaluation's value depends on. */
export interface CacheScope {
  readonly evaluatorVersion: string;
  /** The encoded context. */
  readonly context: string;
  /** Seed of the run: an evaluator may use `task.seed`, which derives from it. */
  readonly seed: number;
  /** Digest of what the evaluator reads besides its context: shared arrays, artifact files. */
  readonly inputs?: string;
}

/** A text that two runs share exactly when they may share evaluations. */
export function cacheScope(scope: CacheScope): string {
  return hash("sha256", JSON.stringify([scope.evaluatorVersion, scope.context, scope.seed, scope.inputs ?? null]));
}
