import type { Reproducible, RunEnd } from "../contract/event.ts";
import { type Failure, failureType } from "../contract/outcome.ts";
import type { Pool, PoolListener, PoolResult } from "../contract/pool.ts";
import type { Proposal, Search } from "../contract/search.ts";
import { decode, encode } from "../values/encode.ts";
import { AskLine } from "./ask-line.ts";
import type { EvaluationStore } from "./evaluation-store.ts";
import type { EventStream } from "./event-stream.ts";
import { type Job, JobQueue } from "./job-queue.ts";
import type { EncodedOutcome, OutcomeBook } from "./outcome-book.ts";
import { RunDigest } from "./run-digest.ts";
import type { RunRecord } from "./run-record.ts";

/** The search broke its contract: a programming error, said with the ask at which it happened. */
export class SearchError extends Error {
  override readonly name = "SearchError";
}

export interface DriverOptions<Candidate, Value, Result> {
  readonly search: Search<Candidate, Value, Result>;
  readonly lookahead: number;
  readonly retries: number;
  /** Wait before the first retry; doubles each time. */
  readonly backoffMs: number;
  readonly timeoutMs: number;
  readonly onFailure: "continue" | "stop";
  /** How long running work may go on when the run stops for a failure. */
  readonly drainMs: number;
  readonly record: RunRecord;
  readonly book: OutcomeBook;
  readonly events: EventStream;
  /** Opened at the first dispatch: a replay that answers everything starts no worker. */
  readonly openPool: (listener: PoolListener) => Pool;
  readonly cache: EvaluationStore | undefined;
  /** Failed attempts of earlier sessions. */
  readonly attempts: ReadonlyMap<string, number>;
  /** Ends the run at this tell, as the journal says the clock did. */
  readonly stopAtTell: number | undefined;
  readonly maxTimeMs: number;
  /** Called exactly once, when the run is over and the pool is closed. */
  readonly onEnd: (end: RunEnd, error: Error | undefined) => void;
}

const TELLS_PER_TURN = 1000;
const LONGEST_BACKOFF_MS = 30_000;
const CLOSE_MS = 1_000;

/**
 * Runs a search: asks, has candidates evaluated in any order, and tells outcomes in the order they were asked.
 * After every tell it asks again until the search waits or `lookahead` asks are unanswered, so that what the search
 * knew at its k-th proposal depends on the search and `lookahead` alone.
 */
export class Driver<Candidate, Value, Result> implements PoolListener {
  readonly #options: DriverOptions<Candidate, Value, Result>;
  readonly #line = new AskLine();
  readonly #queue = new JobQueue();
  readonly #jobs = new Map<string, Job>();
  readonly #running = new Map<number, Job>();
  readonly #digest = new RunDigest();
  #unwanted: Job[] = [];
  #pool: Pool | undefined;
  #tells = 0;
  #toldEvents = 0;
  #reproducible: Reproducible = { from: "seed" };
  #state: "open" | "draining" | "ended" = "open";
  #searchDone = false;
  #timeUp = false;
  #turnPlanned = false;
  #timeLimit: NodeJS.Timeout | undefined;
  #drainLimit: NodeJS.Timeout | undefined;
  #stopMessage = "";

  constructor(options: DriverOptions<Candidate, Value, Result>) {
    this.#options = options;
  }

  get tells(): number {
    return this.#tells;
  }

  begin(): void {
    if (this.#options.maxTimeMs > 0) {
      this.#timeLimit = setTimeout(() => {
        this.#timeUp = true;
        this.#pump();
      }, this.#options.maxTimeMs);
    }
    this.#pump();
  }

  /** Ends the run now; what is finished is kept and the run can be resumed. */
  interrupt(message: string): void {
    if (this.#state === "ended") return;
    this.#end({ state: "interrupted", message, tells: this.#tells }, undefined);
  }

  fail(error: Error): void {
    if (this.#state === "ended") return;
    this.#end({ state: "error", message: error.message, tells: this.#tells }, error);
  }

  // ── the loop ──────────────────────────────────────────────────────────────────────────────────────────────

  /** Asks and tells as far as it goes, then dispatches. Nothing is dispatched while the head of the line has its answer. */
  #pump(): void {
    if (this.#state !== "open") return;
    this.#guarded(() => {
      do {
        const told = this.#askAndTell();
        this.#options.record.write();
        if (this.#over()) return this.#finish();
        if (told === "more") return this.#planTurn();
        this.#dropUnwanted();
      } while (this.#dispatch());
    });
    if (this.#state === "open") this.#announce();
  }

  /** Until the head of the line has no answer (`blocked`), the run is over, or it is time to let others run (`more`). */
  #askAndTell(): "blocked" | "more" {
    this.#ask();
    for (let left = TELLS_PER_TURN; !this.#over(); left--) {
      const head = this.#line.head;
      const outcome = head === undefined ? undefined : this.#options.book.get(head.key);
      if (head === undefined || outcome === undefined) return "blocked";
      if (left === 0) return "more";
      this.#line.shift();
      this.#tell(outcome, head.ask, head.key);
      if (!this.#over()) this.#ask();
    }
    return "blocked";
  }

  #planTurn(): void {
    if (this.#turnPlanned) return;
    this.#turnPlanned = true;
    setImmediate(() => {
      this.#turnPlanned = false;
      this.#pump();
    });
  }

  #over(): boolean {
    return this.#searchDone || this.#timeUp || this.#tells === this.#options.stopAtTell;
  }

  #ask(): void {
    while (!this.#searchDone && this.#line.unanswered < this.#options.lookahead) {
      const proposal = this.#proposal();
      switch (proposal.kind) {
        case "candidate":
          this.#propose(proposal.candidate, proposal.key);
          break;
        case "withdraw":
          this.#withdraw(proposal.ask);
          break;
        case "wait":
          if (this.#line.unanswered > 0) return;
          throw new SearchError(
            `the search waits after ${this.#tells} tells, but nothing is outstanding: it would wait for ever; propose a candidate or say done`,
          );
        case "done":
          this.#searchDone = true;
          return;
        default:
          proposal satisfies never;
          throw new SearchError(
            `ask() returned ${JSON.stringify(proposal)}: expected a candidate, withdraw, wait or done`,
          );
      }
    }
  }

  #proposal(): Proposal<Candidate> {
    try {
      return this.#options.search.ask();
    } catch (error) {
      throw new SearchError(`ask() threw after ${this.#tells} tells: ${messageOf(error)}`, { cause: error });
    }
  }

  #propose(candidate: Candidate, key: string): void {
    if (typeof key !== "string")
      throw new SearchError(`ask ${this.#line.asked} has no key: a candidate's key is a text`);
    let text: string;
    try {
      text = encode(candidate);
    } catch (error) {
      throw new SearchError(
        `ask ${this.#line.asked} (key ${JSON.stringify(key)}): the candidate cannot be sent: ${messageOf(error)}`,
      );
    }
    const ask = this.#line.push(key);
    const isNew = this.#options.record.asked(ask, key, text);
    if (isNew && this.#options.events.heard) this.#options.events.emit({ type: "queued", at: Date.now(), ask, key });
    if (this.#options.book.has(key)) return;
    const running = this.#jobs.get(key);
    if (running !== undefined) {
      running.wanted++;
      return;
    }
    const job: Job = {
      id: ask,
      key,
      candidate: text,
      attempt: this.#options.attempts.get(key) ?? 0,
      wanted: 1,
      state: "queued",
      retryTimer: undefined,
    };
    this.#jobs.set(key, job);
    this.#queue.add(job);
  }

  #withdraw(ask: number): void {
    const slot = this.#line.withdraw(ask);
    if (slot === undefined) {
      throw new SearchError(
        `withdraw names ask ${ask}, which is not outstanding (asked so far: ${this.#line.asked}, told: ${this.#tells})`,
      );
    }
    this.#cancelled(ask, "withdrawn");
    const job = this.#jobs.get(slot.key);
    if (job === undefined) return;
    job.wanted--;
    if (job.wanted === 0) this.#unwanted.push(job);
  }

  #tell(outcome: EncodedOutcome, ask: number, key: string): void {
    this.#digest.add(key, outcome.ok, outcome.encoded);
    this.#tells++;
    const content = decode(outcome.encoded);
    if (!outcome.ok) this.#markIfMachineMade(content as Failure);
    try {
      this.#options.search.tell(
        outcome.ok ? { ok: true, value: content as Value } : { ok: false, failure: content as Failure },
        ask,
      );
    } catch (error) {
      throw new SearchError(`tell() threw at ask ${ask} (key ${JSON.stringify(key)}): ${messageOf(error)}`, {
        cause: error,
      });
    }
    this.#options.record.told(this.#tells, () => this.#digest.value());
  }

  /** D4: a told timeout or worker loss depends on the clock or the machine. */
  #markIfMachineMade(failure: Failure): void {
    if (this.#reproducible.from === "journal") return;
    if (failure.type !== failureType.timeout && failure.type !== failureType.workerLost) return;
    this.#reproducible = { from: "journal", reason: `${failure.type}: ${failure.message}`, tell: this.#tells - 1 };
  }

  // ── dispatch ──────────────────────────────────────────────────────────────────────────────────────────────

  /** Fills the pool. True when the cache answered something, so that there may be more to tell. */
  #dispatch(): boolean {
    let answered = false;
    for (;;) {
      if (this.#pool !== undefined && this.#running.size >= this.#pool.maxInFlight) break;
      const job = this.#queue.next();
      if (job === undefined) break;
      const cached = job.attempt === 0 ? this.#options.cache?.get(job.key, job.candidate) : undefined;
      if (cached !== undefined) {
        this.#succeed(job, -1, 0, cached, "cache");
        answered = true;
        continue;
      }
      this.#pool ??= this.#options.openPool(this);
      job.state = "running";
      this.#running.set(job.id, job);
      this.#pool.submit({
        id: job.id,
        key: job.key,
        candidate: job.candidate,
        attempt: job.attempt,
        timeoutMs: this.#options.timeoutMs,
      });
    }
    if (answered) this.#options.record.write();
    return answered;
  }

  /** Aborts work that no unanswered ask needs. After the asking is over, so that asking again joins work still running. */
  #dropUnwanted(): void {
    if (this.#unwanted.length === 0) return;
    for (const job of this.#unwanted) {
      if (job.wanted > 0) continue;
      if (job.state === "running") {
        job.state = "aborting";
        this.#pool?.abort(job.id);
      } else if (job.state !== "aborting") {
        clearTimeout(job.retryTimer);
        job.state = "dropped";
        this.#jobs.delete(job.key);
      }
    }
    this.#unwanted = [];
  }

  // ── what the pool says ────────────────────────────────────────────────────────────────────────────────────

  started(worker: Parameters<PoolListener["started"]>[0], ids: readonly number[]): void {
    if (this.#state === "ended") return;
    this.#options.record.started(worker, ids);
    // Another process may outlive this one: whom to look for must be on record before it works.
    if (worker.pid !== process.pid) this.#guarded(() => this.#options.record.write());
    if (this.#options.events.heard) this.#options.events.emit({ type: "started", at: Date.now(), worker, asks: ids });
  }

  settled(results: readonly PoolResult[]): void {
    if (this.#state === "ended") return;
    this.#guarded(() => {
      for (const result of results) {
        const job = this.#running.get(result.id);
        if (job === undefined) continue;
        this.#running.delete(result.id);
        if (result.ok) this.#succeed(job, result.worker, result.elapsedMs, result.encoded, "worker");
        else this.#failAttempt(job, result);
      }
      // Written before told: the pump that tells comes after.
      this.#options.record.write();
    });
    if (this.#state === "draining") this.#drained();
    else this.#pump();
  }

  /** An error in the engine's own work (a full disk, say) ends the run instead of the process. */
  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.fail(asError(error));
    }
  }

  aborted(id: number): void {
    const job = this.#running.get(id);
    if (job === undefined || this.#state === "ended") return;
    this.#running.delete(id);
    this.#gone(job);
    if (this.#state === "draining") this.#drained();
    else this.#pump();
  }

  /** An aborted job has ended: for good, unless it was asked for again meanwhile. */
  #gone(job: Job): void {
    if (job.wanted > 0) {
      job.state = "queued";
      this.#queue.putBack(job);
    } else this.#jobs.delete(job.key);
  }

  requeued(id: number, loss: number, reason: string): void {
    if (this.#state === "ended") return;
    this.#options.record.requeued(id, loss > 0 ? `${reason} (loss ${loss})` : reason);
    this.#options.events.emit({ type: "requeued", at: Date.now(), ask: id, reason });
  }

  progress(id: number, progress: Parameters<PoolListener["progress"]>[1]): void {
    if (this.#options.events.heard) this.#options.events.emit({ type: "progress", at: Date.now(), ask: id, progress });
  }

  log(worker: number, line: string): void {
    if (this.#options.events.heard) this.#options.events.emit({ type: "log", at: Date.now(), worker, line });
  }

  worker(...[identity, state, reason]: Parameters<PoolListener["worker"]>): void {
    const why = reason === undefined ? {} : { reason };
    this.#options.events.emit({ type: "worker", at: Date.now(), identity, state, ...why });
  }

  timers(worker: number, totals: Parameters<PoolListener["timers"]>[1]): void {
    this.#options.events.emit({ type: "timers", at: Date.now(), worker, totals });
  }

  broken(error: Error): void {
    this.fail(error);
  }

  #succeed(job: Job, worker: number, elapsedMs: number, encoded: string, from: "worker" | "cache"): void {
    const { record, book, events, cache } = this.#options;
    const at = Date.now();
    const offset = record.completed(
      { at, ask: job.id, key: job.key, attempt: job.attempt, worker, ms: elapsedMs },
      from,
      encoded,
    );
    book.add(job.key, true, encoded, offset);
    this.#jobs.delete(job.key);
    if (from === "worker") cache?.put(job.key, job.candidate, encoded);
    if (events.heard) events.emit({ type: "completed", at, ask: job.id, key: job.key, worker, elapsedMs, from });
  }

  #failAttempt(job: Job, result: Extract<PoolResult, { ok: false }>): void {
    if (job.state === "aborting") {
      this.#gone(job); // a failure after the abort is no outcome
      return;
    }
    const { record, book, events, onFailure } = this.#options;
    const stopping = this.#state === "draining";
    const again = job.attempt < this.#options.retries && result.failure.type !== failureType.valueRefused;
    const willRetry = again && !stopping;
    const outcome = !again && onFailure === "continue";
    const at = Date.now();
    const attempted = {
      at,
      ask: job.id,
      key: job.key,
      attempt: job.attempt,
      worker: result.worker,
      ms: result.elapsedMs,
    };
    const failure = encode({ type: result.failure.type, message: result.failure.message });
    // A retry that a stopping run does not start is still due when it is resumed.
    const offset = record.failed(attempted, again, outcome, result.detail, failure);
    events.emit({
      type: "failed",
      at,
      ask: job.id,
      key: job.key,
      worker: result.worker,
      elapsedMs: result.elapsedMs,
      attempt: job.attempt,
      willRetry,
      failure: result.failure,
      detail: result.detail,
    });
    if (willRetry) this.#retryLater(job);
    else {
      this.#jobs.delete(job.key);
      if (outcome) book.add(job.key, false, failure, offset);
      else if (!stopping) this.#stop(job, result.failure);
    }
  }

  #retryLater(job: Job): void {
    const delayMs = Math.min(LONGEST_BACKOFF_MS, this.#options.backoffMs * 2 ** job.attempt);
    job.attempt++;
    job.state = "backoff";
    job.retryTimer = setTimeout(() => {
      if (job.state !== "backoff" || this.#state !== "open") return;
      job.state = "queued";
      this.#queue.putBack(job);
      this.#pump();
    }, delayMs);
  }

  // ── endings ───────────────────────────────────────────────────────────────────────────────────────────────

  /** `onFailure: "stop"`: nothing new is started; what is running may finish for a while and is kept. */
  #stop(job: Job, failure: Failure): void {
    this.#state = "draining";
    this.#stopMessage = `task ${job.id} (key ${JSON.stringify(job.key)}) failed: ${failure.type}: ${failure.message}`;
    this.#queue.clear();
    for (const other of this.#jobs.values()) clearTimeout(other.retryTimer);
    this.#drainLimit = setTimeout(() => this.#endStopped(), this.#options.drainMs);
  }

  #drained(): void {
    if (this.#running.size === 0) this.#endStopped();
  }

  #endStopped(): void {
    this.#end({ state: "stopped", message: this.#stopMessage, tells: this.#tells }, undefined);
  }

  #finish(): void {
    if (this.#searchDone) this.#options.record.checkDone(this.#line.asked);
    else if (this.#timeUp && this.#tells !== this.#options.stopAtTell) {
      this.#options.record.marker({ type: "run", event: "time-limit", at: Date.now(), tell: this.#tells });
    }
    if (!this.#searchDone && this.#reproducible.from === "seed") {
      this.#reproducible = { from: "journal", reason: "the time limit ended the search", tell: this.#tells };
    }
    const end: RunEnd = {
      state: "done",
      digest: this.#digest.value(),
      tells: this.#tells,
      reproducible: this.#reproducible,
    };
    this.#end(end, undefined);
  }

  #end(end: RunEnd, error: Error | undefined): void {
    this.#announce();
    this.#state = "ended";
    clearTimeout(this.#timeLimit);
    clearTimeout(this.#drainLimit);
    for (const job of this.#jobs.values()) clearTimeout(job.retryTimer);
    const reason = end.state;
    for (const job of this.#running.values()) {
      this.#cancelled(job.id, reason);
      this.#pool?.abort(job.id);
    }
    this.#queue.clear();
    this.#jobs.clear();
    this.#running.clear();
    const closing = this.#pool?.close(end.state === "done" ? CLOSE_MS : 0) ?? Promise.resolve();
    closing.then(
      () => this.#options.onEnd(end, error),
      (closeError: unknown) => this.#options.onEnd(end, error ?? asError(closeError)),
    );
  }

  #cancelled(ask: number, reason: Parameters<RunRecord["cancelled"]>[1]): void {
    this.#options.record.cancelled(ask, reason);
    if (this.#options.events.heard) this.#options.events.emit({ type: "cancelled", at: Date.now(), ask, reason });
  }

  #announce(): void {
    const { events, search } = this.#options;
    if (this.#tells === this.#toldEvents || !events.heard) return;
    this.#toldEvents = this.#tells;
    events.emit({
      type: "told",
      at: Date.now(),
      asked: this.#line.asked,
      told: this.#tells,
      search: search.progress?.() ?? {},
    });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
