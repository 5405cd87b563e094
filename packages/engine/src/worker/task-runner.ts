import type { Evaluator, Task, TaskProgress } from "../contract/evaluator.ts";
import { taskSeed } from "../random/task-seed.ts";
import { drainTimers, enableTimers } from "../timers/timed.ts";
import { decode, encode } from "../values/encode.ts";
import { awake } from "./awake-clock.ts";
import { monotonicMs } from "./current-task.ts";
import { cutText, LONGEST_LINE } from "./cut-text.ts";
import { describeFailure } from "./describe-failure.ts";
import { EvaluatorUnusable, loadEvaluator, setUp } from "./load-evaluator.ts";
import {
  type FromWorker,
  type ResultsMessage,
  status,
  TASK_FIELDS,
  type TasksMessage,
  type ToWorker,
  type WorkerJob,
} from "./worker-message.ts";

/** Results wait at most this long for their chunk-mates. */
const FLUSH_MS = 10;
const PROGRESS_EVERY_MS = 50;
const TIMERS_EVERY_MS = 250;

/** How a runner reaches its pool. */
export interface RunnerLink {
  readonly post: (message: FromWorker) => void;
  /** Notes, where the pool can read it even if this worker is stuck or dies, that one more task has been started. */
  readonly markStart: (atMs: number) => void;
  /** Torn down after `close`: the worker may end. */
  readonly ended: () => void;
}

/**
 * The worker's side of every pool: runs the tasks it is handed, in order, one at a time, and posts their results in
 * that order, at the end of a chunk or {@link FLUSH_MS} after the last ones.
 */
export class TaskRunner {
  readonly #job: WorkerJob;
  readonly #link: RunnerLink;
  #evaluator: Evaluator<unknown, unknown, unknown, unknown> | undefined;
  #state: unknown;
  readonly #chunks: TasksMessage[] = [];
  readonly #unwanted = new Set<number>();
  #results: ResultsMessage = ["results"];
  /** When the last task ended, or the next may begin. */
  #now = 0;
  #lastFlush = 0;
  #lastTimers = 0;
  #running: RunningTask | undefined;
  #lastProgress = 0;
  #busy = false;
  #closing = false;

  constructor(job: WorkerJob, link: RunnerLink) {
    this.#job = job;
    this.#link = link;
  }

  /** Loads the evaluator and, when this worker is `prepared`, sets it up; posts `ready` or `broken`. */
  async begin(prepared?: Promise<void>): Promise<void> {
    const { evaluatorUrl, context, shared, resources, timers } = this.#job;
    this.#link.post(["booted"]);
    try {
      if (timers) enableTimers(true);
      const evaluator = await loadEvaluator(evaluatorUrl);
      await prepared;
      this.#state = await setUp(evaluator, evaluatorUrl, decode(context), shared, resources);
      this.#evaluator = evaluator;
      this.#link.post(["ready"]);
    } catch (error) {
      const detail = error instanceof EvaluatorUnusable ? error.detail : (describeFailure(error).stack ?? "");
      this.#link.post(["broken", error instanceof Error ? error.message : String(error), detail]);
    }
  }

  receive(message: ToWorker): void {
    switch (message[0]) {
      case "tasks":
        this.#chunks.push(message);
        if (!this.#busy) void this.#drain();
        return;
      case "abort":
        if (this.#running?.id === message[1]) this.#running.abort();
        else this.#unwanted.add(message[1]);
        return;
      case "close":
        this.#closing = true;
        if (!this.#busy) void this.#end();
        return;
    }
  }

  /** Nothing more is wanted of this runner: what runs is told so, what waits is dropped. */
  abandon(): void {
    this.#closing = true;
    this.#chunks.length = 0;
    this.#running?.abort();
  }

  /** Posts what has been finished. */
  flush(): void {
    this.#lastFlush = performance.now();
    if (this.#results.length > 1) {
      const results = this.#results;
      this.#results = ["results"];
      this.#link.post(results);
    }
    if (this.#job.timers && this.#lastFlush - this.#lastTimers > TIMERS_EVERY_MS) this.#flushTimers();
  }

  async #drain(): Promise<void> {
    this.#busy = true;
    this.#now = performance.now();
    this.#lastFlush = this.#now;
    for (let chunk = this.#chunks.shift(); chunk !== undefined; chunk = this.#chunks.shift()) {
      for (let at = 1; at < chunk.length; at += TASK_FIELDS) {
        const running = this.#run(chunk, at);
        if (running !== undefined) {
          // The task waits for something: do not keep the others' results waiting with it.
          this.flush();
          await running;
        }
        if (this.#now - this.#lastFlush > FLUSH_MS && at + TASK_FIELDS < chunk.length) {
          this.flush();
          // Let aborts and a close come in between tasks that are not short.
          await new Promise(setImmediate);
          this.#now = performance.now();
        }
      }
      this.flush();
      // Every task an abort could mean has been handed over before it: what is left here came too late.
      if (this.#chunks.length === 0) this.#unwanted.clear();
    }
    this.#busy = false;
    if (this.#closing) await this.#end();
  }

  /** Runs one task of a chunk; a promise if it did not finish at once. */
  #run(chunk: TasksMessage, at: number): Promise<void> | undefined {
    const id = chunk[at] as number;
    const key = chunk[at + 1] as string;
    const attempt = chunk[at + 2] as number;
    const candidate = chunk[at + 3] as string;
    // The end of one task is the beginning of the next: a clock is read once per task.
    const startedAt = this.#now;
    this.#link.markStart(startedAt);
    if (this.#closing || this.#unwanted.has(id) || this.#evaluator === undefined) {
      this.#results.push(status.skipped, 0, "");
      return undefined;
    }
    const task = new RunningTask(id, key, attempt, taskSeed(this.#job.seed, key), this.#report, this.#logLine);
    this.#running = task;
    try {
      const value = this.#evaluator.evaluate(this.#state, decode(candidate), task);
      if (isThenable(value)) return this.#settleLater(value, startedAt);
      this.#succeed(value, startedAt);
    } catch (error) {
      this.#fail(error, startedAt);
    }
    return undefined;
  }

  async #settleLater(promise: PromiseLike<unknown>, startedAt: number): Promise<void> {
    try {
      this.#succeed(await promise, startedAt);
    } catch (error) {
      this.#fail(error, startedAt);
    }
  }

  #succeed(value: unknown, startedAt: number): void {
    const encoded = encode(value, this.#job.maxValueBytes);
    this.#running = undefined;
    this.#now = performance.now();
    this.#results.push(status.value, this.#sinceMs(startedAt), encoded);
  }

  #fail(error: unknown, startedAt: number): void {
    const kind = this.#running?.aborted === true ? status.failureWhenTold : status.failure;
    this.#running = undefined;
    this.#now = performance.now();
    this.#results.push(kind, this.#sinceMs(startedAt), JSON.stringify(describeFailure(error)));
  }

  /** How long a task took; a pause of the whole process is not its fault. */
  #sinceMs(startedAt: number): number {
    return awake.clock.between(monotonicMs(startedAt), monotonicMs(this.#now));
  }

  /** Posts text as lines of a task, at once: the last words before a crash are the ones people need. */
  log(text: string, id = this.#running?.id): void {
    for (const line of text.replace(/\n$/, "").split("\n")) {
      this.#link.post(id === undefined ? ["log", cutText(line)] : ["log", cutText(line), id]);
    }
  }

  readonly #logLine = (id: number, message: string): void => this.log(message, id);

  readonly #report = (id: number, { done, total, label, name, unit, best, goal }: TaskProgress): void => {
    const now = performance.now();
    if (now - this.#lastProgress < PROGRESS_EVERY_MS && (done < total || total === 0)) return;
    this.#lastProgress = now;
    this.#link.post([
      "progress",
      id,
      {
        done: Number(done),
        total: Number(total),
        ...(label === undefined ? {} : { label: cutText(String(label), LONGEST_LINE) }),
        ...(name === undefined ? {} : { name: cutText(String(name), LONGEST_LINE) }),
        ...(unit === undefined ? {} : { unit: cutText(String(unit), LONGEST_LINE) }),
        ...(best === undefined ? {} : { best: Number(best) }),
        ...(goal === undefined ? {} : { goal }),
      },
    ]);
  };

  #flushTimers(): void {
    this.#lastTimers = performance.now();
    const totals = drainTimers();
    if (Object.keys(totals).length > 0) this.#link.post(["timers", totals]);
  }

  async #end(): Promise<void> {
    if (this.#job.timers) this.#flushTimers();
    try {
      await this.#evaluator?.teardown?.(this.#state);
    } catch (error) {
      const { type, message } = describeFailure(error);
      this.log(`teardown failed: ${type}: ${message}`);
    }
    this.#link.ended();
  }
}

/** The task an evaluation is given. Its signal is made when it is first asked for: most short tasks never do. */
class RunningTask implements Task {
  readonly id: number;
  readonly key: string;
  readonly attempt: number;
  readonly seed: number;
  readonly report: (progress: TaskProgress) => void;
  readonly log: (message: string) => void;
  #controller: AbortController | undefined;
  aborted = false;

  constructor(
    id: number,
    key: string,
    attempt: number,
    seed: number,
    report: (id: number, progress: TaskProgress) => void,
    log: (id: number, message: string) => void,
  ) {
    this.id = id;
    this.key = key;
    this.attempt = attempt;
    this.seed = seed;
    this.report = (progress) => report(id, progress);
    this.log = (message) => log(id, message);
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.aborted) this.#controller.abort();
    return this.#controller.signal;
  }

  abort(): void {
    this.aborted = true;
    this.#controller?.abort();
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
