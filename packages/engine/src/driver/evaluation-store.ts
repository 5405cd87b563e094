/** Encoded values of earlier runs, for this run's evaluator and context; a miss is undefined. */
export interface EvaluationStore {
  get(key: string): string | undefined;
  put(key: string, encoded: string): void;
}
