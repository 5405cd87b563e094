import { pipesRead } from "../../child-process/output.ts";
import { awake } from "../../worker/awake-clock.ts";
import { monotonicMs } from "../../worker/current-task.ts";
import type { CrewMember } from "./crew-member.ts";

/**
 * Sees to it that no task runs over its limit and no aborted one beyond its grace. One timer for the whole pool, set to
 * the earliest moment at which something could be due; looking too early only means looking again.
 */
export class LimitWatch {
  readonly #members: readonly CrewMember[];
  readonly #graceMs: number;
  readonly #end: (member: CrewMember) => void;
  #stopped = false;
  #next: { readonly timer: NodeJS.Timeout; readonly atMs: number } | undefined;

  constructor(members: readonly CrewMember[], graceMs: number, end: (member: CrewMember) => void) {
    this.#members = members;
    this.#graceMs = graceMs;
    this.#end = end;
  }

  /** A task was aborted and told so; it may take its grace to end. */
  aborted(): void {
    this.lookIn(this.#graceMs);
  }

  /** Looks at every worker's current task in at most this many milliseconds. */
  lookIn(ms: number): void {
    const atMs = monotonicMs() + ms;
    if (this.#next !== undefined) {
      if (this.#next.atMs <= atMs) return;
      clearTimeout(this.#next.timer);
    }
    // After a pause of this process timers come before what the workers have sent meanwhile: that is heard first.
    const timer = setTimeout(() => {
      this.#next = undefined;
      void pipesRead().then(() => this.#look());
    }, timerMs(ms));
    this.#next = { timer, atMs };
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#next?.timer);
  }

  #look(): void {
    if (this.#stopped) return;
    const nowMs = monotonicMs();
    let soonestMs = Number.POSITIVE_INFINITY;
    for (const member of this.#members) soonestMs = Math.min(soonestMs, this.#lookAt(member, nowMs));
    if (soonestMs < Number.POSITIVE_INFINITY) this.lookIn(soonestMs);
  }

  /** Ends what is over its time; gives in how many milliseconds to look again. */
  #lookAt(member: CrewMember, nowMs: number): number {
    if (member.state !== "ready") return Number.POSITIVE_INFINITY;
    if (member.verdict !== undefined) return this.#carryOut(member, nowMs);
    const current = member.current();
    if (current === undefined) return this.#nextDue(member);
    const { entry, sinceMs } = current;
    if (entry.aborted) {
      // The worker was told when it was aborted, at least a grace ago unless it has only just started the task.
      const graceLeftMs = sinceMs + this.#graceMs - nowMs;
      if (graceLeftMs > 0) return graceLeftMs;
      member.verdict = { kind: "abort", entry };
      this.#end(member);
      return Number.POSITIVE_INFINITY;
    }
    const limitMs = entry.task.timeoutMs;
    const leftMs = limitMs > 0 ? limitMs - awake.clock.between(sinceMs, nowMs) : Number.POSITIVE_INFINITY;
    if (leftMs > 0) return Math.min(leftMs, this.#nextDue(member));
    member.verdict = { kind: "timeout", entry };
    member.killAtMs = nowMs + this.#graceMs;
    member.link.post(["abort", entry.id]);
    return this.#graceMs;
  }

  #carryOut(member: CrewMember, nowMs: number): number {
    if (member.killAtMs === undefined) return Number.POSITIVE_INFINITY;
    if (nowMs < member.killAtMs) return member.killAtMs - nowMs;
    this.#end(member);
    return Number.POSITIVE_INFINITY;
  }

  /** The earliest that anything handed to the worker but not started yet could need a look. */
  #nextDue({ handed }: CrewMember): number {
    let dueMs = Number.POSITIVE_INFINITY;
    for (const { task, aborted } of handed) {
      if (aborted) return Math.max(1, this.#graceMs);
      if (task.timeoutMs > 0) dueMs = Math.min(dueMs, task.timeoutMs);
    }
    return dueMs;
  }
}

/** A delay a timer can keep: beyond 2^31 − 1 ms (24 days) it would fire at once. */
export function timerMs(ms: number): number {
  return Math.min(2_147_483_647, Math.max(1, Math.ceil(ms)));
}
