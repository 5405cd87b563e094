import { failureType } from "../../contract/outcome.ts";
import type { PoolResult, PoolTask } from "../../contract/pool.ts";
import { awake } from "../../worker/awake-clock.ts";
import { monotonicMs } from "../../worker/current-task.ts";
import type { WorkerEnd } from "../../worker/worker-link.ts";
import { type FailureText, status } from "../../worker/worker-message.ts";
import type { CrewMember, Entry } from "./crew-member.ts";

/** Deaths of its worker after which a task is given up. */
export const LOSS_BUDGET = 3;

/** Why a task was given up. */
export const lossFailure = {
  type: failureType.workerLost,
  message: `the worker died under this task ${LOSS_BUDGET} times`,
};

/** What a worker answered for one task; undefined when it skipped it. */
export function answered(
  member: CrewMember,
  { id, task }: Entry,
  kind: string | number,
  elapsedMs: number,
  text: string,
): PoolResult | undefined {
  if (kind === status.skipped) return undefined;
  const { worker } = member;
  // One rule for every pool: what took longer than its limit has timed out, however it ended; so has what failed when
  // it was told that its time is up, even if the worker's clock says otherwise by a hair. What failed by itself has failed,
  // however late we hear of it.
  const told = kind === status.failureWhenTold && member.verdict?.kind === "timeout" && member.verdict.entry.id === id;
  if (task.timeoutMs > 0 && (elapsedMs > task.timeoutMs || told)) {
    const detail = { timedOut: true, workerLost: false, ...member.logTail() };
    return { id, worker, elapsedMs, ok: false, failure: timeoutFailure(task), detail };
  }
  if (kind === status.value) return { id, worker, elapsedMs, ok: true, encoded: text };
  const { type, message, ...rest } = JSON.parse(text) as FailureText;
  const detail = { timedOut: false, workerLost: false, ...rest, ...member.logTail() };
  return { id, worker, elapsedMs, ok: false, failure: { type, message }, detail };
}

/** The task its worker had to be ended for. */
export function timedOut(member: CrewMember, { id, task }: Entry, end: WorkerEnd): PoolResult {
  const detail = member.endDetail(end, "timedOut");
  return { id, worker: member.worker, elapsedMs: runFor(member), ok: false, failure: timeoutFailure(task), detail };
}

/** The task that has lost too many workers. */
export function givenUp(member: CrewMember, { id }: Entry, end: WorkerEnd): PoolResult {
  const detail = member.endDetail(end, "workerLost");
  return { id, worker: member.worker, elapsedMs: runFor(member), ok: false, failure: lossFailure, detail };
}

function runFor(member: CrewMember): number {
  return Math.max(0, awake.clock.between(member.link.lastStart().atMs, monotonicMs()));
}

function timeoutFailure({ timeoutMs }: PoolTask): { type: string; message: string } {
  return { type: failureType.timeout, message: `no result within ${timeoutMs} ms` };
}
