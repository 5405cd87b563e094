import type { Cost, FailureData, StepFailure } from "../contract.ts";

/** Why a task could not be finished; the name is the failure's type as the search and the manifest know it. */
export class StepFailed extends Error implements StepFailure {
  override readonly name: FailureKind;
  readonly data: FailureData;
  constructor(kind: FailureKind, message: string, data: Partial<FailureData> & Pick<FailureData, "step">) {
    super(message);
    this.name = kind;
    this.data = { round: 0, exitCode: null, signal: null, logTail: [], cost: NO_COST, ...data };
  }
}

/**
 * `StepFailed`: a command ended with an error or could not be started. `TimeoutError`: a time limit ended it, and the
 * run says that it met a clock. `Rejected`: no round was approved. `ResultsUnusable`: the sweep ended well, but its
 * results cannot be read.
 */
export type FailureKind = "StepFailed" | "TimeoutError" | typeof REJECTED | "ResultsUnusable";

/** An answer and no accident: review rounds are the tries that such a change has, and retries are not for it. */
export const REJECTED = "Rejected";

export const NO_COST: Cost = { money: 0, tokens: 0 };

export function addCost(a: Cost, b: Cost): Cost {
  return { money: a.money + b.money, tokens: a.tokens + b.tokens };
}
