import { type Failure, failureType } from "../contract/outcome.ts";
import type { PoolResult } from "../contract/pool.ts";
import { beginning } from "../display/printable.ts";
import type { Job } from "./group-limits.ts";

/** How an attempt at a task failed. */
export type FailedAttempt = Extract<PoolResult, { ok: false }>;

/** Shown of a value that is refused. */
const SHOWN_CHARACTERS = 60;

/** A value that the search cannot use, as the failure it is. */
export function refused({ encoded, ...result }: Extract<PoolResult, { ok: true }>, wrong: string): FailedAttempt {
  const message = `the evaluator returned ${beginning(encoded, SHOWN_CHARACTERS)}: ${wrong}`;
  return {
    ...result,
    ok: false,
    failure: { type: failureType.valueRefused, message },
    detail: { timedOut: false, workerLost: false },
  };
}

/** What an evaluation under way may not see: its own code becoming other code. */
export function codeChanged(what: string, since: string): Error {
  const message = `the evaluator's code changed while the run was going (${what})${since}`;
  return new Error(`${message}: put it back and resume, or resume with --accept-changes`);
}

/** Which task failed for good, and how, in one line. */
export function describe(job: Pick<Job, "id" | "key">, failure: Failure): string {
  return `task ${job.id} (key ${JSON.stringify(job.key)}) failed: ${failure.type}: ${failure.message}`;
}
