/** What a search may know of a failure: the same two texts in every pool. */
export interface Failure {
  readonly type: string;
  readonly message: string;
}

/** How an evaluation ended. A failed evaluation is information, not an accident. */
export type Outcome<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: Failure };

/** Failure types the engine itself produces; an evaluator's own errors carry their class name. */
export const failureType = {
  /** The attempt ran longer than `timeoutMs` and was stopped. Depends on the clock: sets the D4 mark. */
  timeout: "Timeout",
  /** The evaluator's own clock ran out: the name of what `AbortSignal.timeout` throws. Sets the D4 mark like `timeout`. */
  ownTimeout: "TimeoutError",
  /** Three workers died under the task. Depends on the machine: sets the D4 mark. */
  workerLost: "WorkerLost",
  /** The value cannot be written down (function, cycle, too large, …). */
  valueRefused: "ValueRefused",
} as const;
