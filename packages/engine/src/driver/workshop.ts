import { failureType } from "../contract/outcome.ts";
import type { Pool, PoolListener, PoolResult } from "../contract/pool.ts";
import type { TaskPolicy } from "../contract/task-policy.ts";
import type { CancelReason } from "../journal/entry.ts";
import { backoffMs } from "../parallel-map/retry.ts";
import { TaskQueue } from "../pools/task-queue.ts";
import { encode } from "../values/encode.ts";
import type { EvaluationStore } from "./evaluation-store.ts";
import type { EventStream } from "./event-stream.ts";
import { codeChanged, describe, type FailedAttempt, refused } from "./failed-attempt.ts";
import { GroupLimits, type Job, nextWanted } from "./group-limits.ts";
import type { OutcomeBook } from "./outcome-book.ts";
import type { RunRecord } from "./run-record.ts";

export interface WorkshopOptions {
  readonly retries: number;
  /** Wait before the first retry; doubles each time. */
  readonly backoffMs: number;
  readonly timeoutMs: number;
  readonly onFailure: "continue" | "stop";
  /** What is different for the task with this key. */
  readonly policy: ((key: string) => TaskPolicy) | undefined;
  /** Asked before a task is handed out; a text stops the run there. */
  readonly admit: ((key: string) => string | undefined) | undefined;
  readonly record: RunRecord;
  readonly book: OutcomeBook;
  readonly events: EventStream;
  /** Names what has changed of the evaluator's code since the session began. */
  readonly changedCode?: () => string | undefined;
  /** Of files that are read for every task, not only when a worker starts: asked before a result counts. */
  readonly changedFiles?: () => string | undefined;
  /** Opened at the first dispatch: a replay that answers everything starts no worker. */
  readonly openPool: (listener: PoolListener) => Pool;
  readonly cache: EvaluationStore | undefined;
  /** Failed attempts of earlier sessions. */
  readonly attempts: ReadonlyMap<string, number>;
}

/** What the workshop tells its driver. */
export interface WorkshopOwner {
  /** Something was written down, or came back to be done: there may be more to tell or to dispatch. */
  moved(): void;
  /** A task failed for good, or may not be handed out, and the run is to stop. */
  stopped(message: string): void;
  broken(error: Error): void;
  /** What is wrong with a value for the search; undefined if nothing is. */
  refuses(encoded: string): string | undefined;
}

/**
 * Gets candidates evaluated: one job per key, however many asks want it; retries; answers from the cache; and every
 * outcome in the record before the driver hears of it. Knows nothing of the search or of the order of tells.
 */
export class Workshop implements PoolListener {
  readonly #options: WorkshopOptions;
  readonly #owner: WorkshopOwner;
  readonly #queue = new TaskQueue<Job>();
  readonly #groups = new GroupLimits();
  readonly #jobs = new Map<string, Job>();
  readonly #running = new Map<number, Job>();
  #unwanted: Job[] = [];
  #pool: Pool | undefined;
  #state: "open" | "draining" | "closed" = "open";

  constructor(options: WorkshopOptions, owner: WorkshopOwner) {
    this.#options = options;
    this.#owner = owner;
  }

  /** True while work that was handed out has not ended. */
  get busy(): boolean {
    return this.#running.size > 0;
  }

  /** An ask wants this key: joins the job there is, or makes one. */
  want(ask: number, key: string, candidate: string): void {
    const job = this.#jobs.get(key);
    if (job !== undefined) {
      job.wanted++;
      return;
    }
    const made: Job = {
      id: ask,
      key,
      candidate,
      policy: this.#options.policy?.(key) ?? {},
      attempt: this.#options.attempts.get(key) ?? 0,
      wanted: 1,
      state: "queued",
      retryTimer: undefined,
    };
    this.#jobs.set(key, made);
    this.#queue.add(made);
  }

  /** An ask no longer wants this key. The work goes on until `dropUnwanted`, so that asking again at once joins it. */
  unwant(key: string): void {
    const job = this.#jobs.get(key);
    if (job === undefined) return;
    job.wanted--;
    if (job.wanted === 0) this.#unwanted.push(job);
  }

  /** Aborts work that no unanswered ask needs. */
  dropUnwanted(): void {
    for (const job of this.#unwanted) {
      if (job.wanted > 0) continue;
      if (job.state === "running" || job.state === "submitted") this.#abort(job);
      else if (job.state !== "aborting") {
        clearTimeout(job.retryTimer);
        job.state = "dropped";
        this.#jobs.delete(job.key);
        this.#queueAgain(this.#groups.next(job)); // another may take the place it was released for
      }
    }
    if (this.#unwanted.length > 0) this.#unwanted = [];
  }

  /** Fills the pool, lowest ask first. True when the cache answered something. */
  dispatch(): boolean {
    let answered = false;
    while (this.#pool === undefined || this.#running.size < this.#pool.maxInFlight) {
      const job = nextWanted(this.#queue);
      if (job === undefined) break;
      const cached = job.attempt === 0 ? this.#options.cache?.get(job.key, job.candidate) : undefined;
      if (cached !== undefined) {
        this.#succeed(job, -1, 0, cached, "cache");
        answered = true;
        continue;
      }
      if (!this.#groups.enter(job)) continue;
      const refusal = this.#options.admit?.(job.key);
      if (refusal !== undefined) {
        this.#owner.stopped(refusal);
        break;
      }
      this.#pool ??= this.#options.openPool(this);
      job.state = "submitted";
      this.#running.set(job.id, job);
      const { id, key, candidate, attempt, policy } = job;
      this.#pool.submit({ id, key, candidate, attempt, timeoutMs: policy.timeoutMs ?? this.#options.timeoutMs });
    }
    if (answered) this.#options.record.write();
    return answered;
  }

  /** Starts nothing more, not even retries; what is running may end. */
  drain(): void {
    this.#state = "draining";
    this.#forgetWaiting();
    for (const job of this.#running.values()) if (job.state === "submitted") this.#abort(job);
  }

  /** Aborts what is out, says so in the record, and closes the pool. */
  close(reason: CancelReason, deadlineMs: number): Promise<void> {
    this.#state = "closed";
    this.#forgetWaiting();
    for (const { id } of this.#running.values()) {
      this.cancelled(id, reason);
      this.#pool?.abort(id);
    }
    this.#jobs.clear();
    this.#running.clear();
    return this.#pool?.close(deadlineMs) ?? Promise.resolve();
  }

  cancelled(ask: number, reason: CancelReason): void {
    this.#options.record.cancelled(ask, reason);
    if (this.#options.events.heard) this.#options.events.emit({ type: "cancelled", at: Date.now(), ask, reason });
  }

  // ── what the pool says ────────────────────────────────────────────────────────────────────────────────────

  started(worker: Parameters<PoolListener["started"]>[0], ids: readonly number[]): void {
    if (this.#state === "closed") return;
    const { record, events } = this.#options;
    record.started(worker, ids);
    for (const id of ids) this.#move(id, "submitted", "running");
    // Another process may outlive this one: whom to look for must be on record before it works.
    if (worker.host !== undefined || worker.pid !== process.pid) this.#guarded(() => record.write());
    if (events.heard) events.emit({ type: "started", at: Date.now(), worker, asks: ids });
  }

  settled(results: readonly PoolResult[]): void {
    if (this.#state === "closed") return;
    const changed = this.#options.changedFiles?.();
    if (changed !== undefined) {
      this.#owner.broken(codeChanged(changed, ""));
      return;
    }
    const written = this.#guarded(() => {
      for (const result of results) {
        const job = this.#running.get(result.id);
        if (job === undefined) continue;
        this.#returned(job);
        const wrong = result.ok ? this.#owner.refuses(result.encoded) : undefined;
        if (!result.ok) this.#failAttempt(job, result);
        else if (wrong === undefined) this.#succeed(job, result.worker, result.elapsedMs, result.encoded, "worker");
        else this.#failAttempt(job, refused(result, wrong));
      }
      // Written before told: the driver tells only after this.
      this.#options.record.write();
    });
    if (written) this.#owner.moved();
  }

  aborted(id: number): void {
    const job = this.#running.get(id);
    if (job === undefined || this.#state === "closed") return;
    this.#returned(job);
    this.#gone(job);
    this.#owner.moved();
  }

  requeued(id: number, loss: number, reason: string): void {
    if (this.#state === "closed") return;
    this.#options.record.requeued(id, loss > 0 ? `${reason} (loss ${loss})` : reason);
    this.#options.events.emit({ type: "requeued", at: Date.now(), ask: id, reason });
    const job = this.#move(id, "running", "submitted");
    if (job !== undefined && this.#state === "draining") this.#abort(job);
  }

  progress(id: number, progress: Parameters<PoolListener["progress"]>[1]): void {
    if (this.#options.events.heard) this.#options.events.emit({ type: "progress", at: Date.now(), ask: id, progress });
  }

  log(worker: number, line: string, id?: number): void {
    if (!this.#options.events.heard) return;
    this.#options.events.emit({ type: "log", at: Date.now(), worker, line, ...(id === undefined ? {} : { ask: id }) });
  }

  worker(...[identity, state, reason]: Parameters<PoolListener["worker"]>): void {
    const why = reason === undefined ? {} : { reason };
    this.#options.events.emit({ type: "worker", at: Date.now(), identity, state, ...why });
    // It has read the code just now, before its first task.
    const changed = state === "ready" && this.#state !== "closed" ? this.#options.changedCode?.() : undefined;
    if (changed === undefined) return;
    this.#owner.broken(codeChanged(changed, ", and a worker has started since"));
  }

  timers(worker: number, totals: Parameters<PoolListener["timers"]>[1]): void {
    this.#options.events.emit({ type: "timers", at: Date.now(), worker, totals });
  }

  note(message: string): void {
    this.#options.events.emit({ type: "note", at: Date.now(), message });
  }

  broken(error: Error): void {
    this.#owner.broken(error);
  }

  // ── how a job ends ────────────────────────────────────────────────────────────────────────────────────────

  #succeed(job: Job, worker: number, elapsedMs: number, encoded: string, from: "worker" | "cache"): void {
    const { record, book, events, cache } = this.#options;
    const { id: ask, key, attempt } = job;
    const at = Date.now();
    const offset = record.completed({ at, ask, key, attempt, worker, ms: elapsedMs }, from, encoded);
    book.add(key, true, encoded, offset);
    this.#jobs.delete(key);
    if (from === "worker") cache?.put(key, job.candidate, encoded);
    if (events.heard) events.emit({ type: "completed", at, ask, key, worker, elapsedMs, from });
  }

  #failAttempt(job: Job, { worker, elapsedMs, failure, detail }: FailedAttempt): void {
    if (job.state === "aborting") {
      this.#gone(job); // a failure after the abort is no outcome
      return;
    }
    const { record, book, events } = this.#options;
    const { onFailure, retries } = { ...this.#options, ...job.policy };
    const { id: ask, key, attempt } = job;
    const stopping = this.#state === "draining";
    const stops = job.policy.stopOn?.includes(failure.type) === true;
    // Refused values will be refused again.
    const final = failure.type === failureType.valueRefused || job.policy.finalOn?.includes(failure.type) === true;
    const again = !stops && !final && attempt < retries;
    const willRetry = again && !stopping;
    const outcome = !again && !stops && onFailure === "continue";
    const at = Date.now();
    const text = encode({ type: failure.type, message: failure.message });
    // A retry that a stopping run does not start is still due when it is resumed.
    const offset = record.failed({ at, ask, key, attempt, worker, ms: elapsedMs }, again, outcome, detail, text);
    events.emit({ type: "failed", at, ask, key, worker, elapsedMs, attempt, willRetry, failure, detail });
    if (willRetry) {
      this.#retryLater(job);
      return;
    }
    this.#jobs.delete(key);
    if (outcome) book.add(key, false, text, offset);
    else if (!stopping) this.#owner.stopped(describe(job, failure));
  }

  #move(id: number, from: Job["state"], to: Job["state"]): Job | undefined {
    const job = this.#running.get(id);
    if (job?.state !== from) return undefined;
    job.state = to;
    return job;
  }

  /** The pool has done with a job: its place in its group is free. */
  #returned(job: Job): void {
    this.#running.delete(job.id);
    this.#queueAgain(this.#groups.leave(job));
  }

  #queueAgain(job: Job | undefined): void {
    if (job !== undefined && this.#state === "open") this.#queue.add(job);
  }

  #abort(job: Job): void {
    job.state = "aborting";
    this.#pool?.abort(job.id);
  }

  /** An aborted job has ended: for good, unless it was asked for again meanwhile. */
  #gone(job: Job): void {
    if (job.wanted > 0) {
      job.state = "queued";
      this.#queue.add(job);
    } else this.#jobs.delete(job.key);
  }

  #retryLater(job: Job): void {
    const delayMs = backoffMs(this.#options.backoffMs, job.attempt);
    job.attempt++;
    job.state = "backoff";
    job.retryTimer = setTimeout(() => {
      if (job.state !== "backoff" || this.#state !== "open") return;
      job.state = "queued";
      this.#queue.add(job);
      this.#owner.moved();
    }, delayMs);
  }

  #forgetWaiting(): void {
    this.#queue.clear();
    this.#groups.clear();
    for (const job of this.#jobs.values()) clearTimeout(job.retryTimer);
  }

  /** Trouble with our own record (a full disk, say) ends the run instead of the process. */
  #guarded(work: () => void): boolean {
    try {
      work();
      return true;
    } catch (error) {
      this.#owner.broken(error instanceof Error ? error : new Error(String(error)));
      return false;
    }
  }
}
