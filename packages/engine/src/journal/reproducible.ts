import type { Reproducible } from "../contract/event.ts";
import { type Failure, failureType } from "../contract/outcome.ts";
import type { History } from "./history.ts";

/** What a run can be repeated from, as far as its evaluator goes: whether it is pure, and one code all along. */
export function knownFrom(impure: string | undefined, history: History | undefined): Reproducible {
  if (impure !== undefined) return { from: "journal", reason: impure, tell: 0 };
  const mixed = history?.changes.find(({ older }) => older.size > 0);
  if (mixed === undefined) return { from: "seed" };
  return { from: "journal", reason: `the evaluator became different code (${mixed.what})`, tell: mixed.tell };
}

/** D4: a told timeout or worker loss depends on the clock or the machine. */
export function afterFailure(before: Reproducible, { type, message }: Failure, tell: number): Reproducible {
  const { timeout, ownTimeout, workerLost } = failureType;
  const machineMade = type === timeout || type === ownTimeout || type === workerLost;
  return before.from === "journal" || !machineMade ? before : { from: "journal", reason: `${type}: ${message}`, tell };
}
