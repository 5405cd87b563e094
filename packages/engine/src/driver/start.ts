import { hash } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { EvaluationCache } from "../cache/evaluation-cache.ts";
import type { Reproducible, RunEnd, RunEvent } from "../contract/event.ts";
import type { PoolFactory, PoolJob } from "../contract/pool.ts";
import type { Search } from "../contract/search.ts";
import type { Durability } from "../journal/writer.ts";
import { threads } from "../pools/threads.ts";
import { DirectoryReader } from "../readers/directory-reader.ts";
import { factsOf } from "../readers/report/run-facts.ts";
import { createRun, JOURNAL_NAME, type OpenRun, type RunShape, reopenRun } from "../run-directory/open-run.ts";
import { writeResultFile } from "../run-directory/result-file.ts";
import { RUN_FORMAT } from "../run-directory/run-file.ts";
import { UsageError } from "../usage-error.ts";
import { encode } from "../values/encode.ts";
import { COPPICE_VERSION } from "../version.ts";
import { Driver } from "./driver.ts";
import { evaluationStore } from "./evaluation-store.ts";
import { type EventListener, EventStream } from "./event-stream.ts";
import { milliseconds, wholeNumber } from "./options.ts";
import { OutcomeBook } from "./outcome-book.ts";
import { RunRecord } from "./run-record.ts";

export interface StartOptions<Candidate, Value, Result> {
  readonly search: Search<Candidate, Value, Result>;
  /** Module whose default export is the evaluator; loaded in every worker. */
  readonly evaluator: URL | string;
  /** Small and serialisable: paths, options. Given to the evaluator's `setup`. */
  readonly context?: unknown;
  /** Large read-only arrays, shared between threads. */
  readonly shared?: Readonly<Record<string, SharedArrayBuffer>>;
  /** Default: threads, one per core. Never changes the answer. */
  readonly pool?: PoolFactory;
  /** How many asks may be unanswered. Shapes the answer: part of the configuration, never derived from the machine. Default 1024. */
  readonly lookahead?: number;
  /** Default 0. */
  readonly seed?: number;
  /** Where the run is written down. Without it nothing is kept. */
  readonly journal?: JournalOptions;
  /** Attempts after the first one that failed. Default 0. */
  readonly retries?: number;
  /** Wait before the first retry; doubles each time. Default 100. */
  readonly backoffMs?: number;
  /** Limit of one attempt; 0 for none, the default. */
  readonly timeoutMs?: number;
  readonly setupTimeoutMs?: number;
  /** Ends the search after this time with what it knows (D4); 0 for none, the default. */
  readonly maxTimeMs?: number;
  /** `continue` tells the search of a failed task, `stop` ends the run at the first one. Default `continue`. */
  readonly onFailure?: "continue" | "stop";
  /** How long running work may finish after a `stop`. Default 5000. */
  readonly drainMs?: number;
  /** Values longer than this are refused. Default 16 MiB. */
  readonly maxValueBytes?: number;
  /** Collect named timers (`timed`) in the workers. */
  readonly timers?: boolean;
  /** Results of earlier runs with the same evaluator, context and seed. Off by default; never changes the answer. */
  readonly cache?: EvaluationCache;
}

export interface JournalOptions {
  /** The run's own directory. */
  readonly directory: string;
  /** Continue the run that is there; otherwise the directory must not hold one. */
  readonly resume?: boolean;
  /** `strict` syncs before every tell. Default `grouped`. */
  readonly durable?: Durability;
  /** Name and options of the tool, so that it can rebuild the search. */
  readonly tool?: string;
  readonly options?: unknown;
  /** Digest of input files: a run is not resumed on other inputs. */
  readonly inputs?: string;
}

/** A run that is under way. */
export interface Run<Result> {
  readonly id: string;
  readonly directory: string | undefined;
  /** Everything that happens from now on; bounded, a slow reader misses events. */
  readonly events: AsyncIterable<RunEvent>;
  /** Hears every event as it happens; returns how to stop listening. */
  readonly subscribe: (listener: EventListener) => () => void;
  /** Resolves when the search is done; rejects with {@link RunNotDone} or the error that ended it. */
  readonly finished: Promise<RunDone<Result>>;
  /** Ends the run now; with a journal it can be resumed. */
  readonly interrupt: (reason?: string) => void;
}

export interface RunDone<Result> {
  readonly result: Result;
  /** Two runs agree exactly when their digests do. */
  readonly digest: string;
  readonly tells: number;
  readonly reproducible: Reproducible;
}

/** The run ended before its search was done: stopped by a failure, or interrupted. */
export class RunNotDone extends Error {
  override readonly name = "RunNotDone";
  readonly end: RunEnd;
  constructor(end: Exclude<RunEnd, { state: "done" }>) {
    super(end.message);
    this.end = end;
  }
}

const DEFAULT_LOOKAHEAD = 1024;
const DEFAULT_MAX_VALUE_BYTES = 16 * 1024 * 1024;

/** Starts a run. Checks everything first: a wrong option throws {@link UsageError} and leaves nothing behind. */
export async function start<Candidate, Value, Result>(
  options: StartOptions<Candidate, Value, Result>,
): Promise<Run<Result>> {
  const evaluatorUrl = moduleUrl(options.evaluator);
  const settings = checkSettings(options);
  const pool = options.pool ?? threads();
  const runToken = crypto.randomUUID();
  const context = encodeContext(options.context);
  const evaluatorVersion = fileHash(evaluatorUrl);
  const job: PoolJob = {
    evaluatorUrl,
    context,
    seed: settings.seed,
    setupTimeoutMs: settings.setupTimeoutMs,
    maxValueBytes: settings.maxValueBytes,
    timers: options.timers ?? false,
    runToken,
    ...(options.shared === undefined ? {} : { shared: options.shared }),
  };
  const shape: RunShape = {
    tool: options.journal?.tool ?? "library",
    options: options.journal?.options ?? null,
    seed: settings.seed,
    lookahead: settings.lookahead,
    retries: settings.retries,
    timeoutMs: settings.timeoutMs,
    onFailure: settings.onFailure,
    evaluator: { url: evaluatorUrl, version: evaluatorVersion },
    context,
    inputs: options.journal?.inputs,
    pool: { kind: pool.kind },
    versions: { coppice: COPPICE_VERSION, node: process.versions.node },
  };

  const cache = options.cache && (await evaluationStore(options.cache, shape, options.shared));
  const events = new EventStream();
  const reader = directoryReader(options.journal, shape);
  const open = openJournal(options.journal, shape, runToken, (error) => driver.fail(error));
  const history = open?.history;
  const book = new OutcomeBook(history, open === undefined ? undefined : join(open.directory, JOURNAL_NAME));
  const record = new RunRecord(open?.writer, history);
  const done = Promise.withResolvers<RunDone<Result>>();
  done.promise.catch(() => {}); // a run that nobody awaits still ends quietly; its events say how
  const id = open?.file.id ?? runToken.slice(0, 8);
  if (reader !== undefined) events.subscribe((event) => reader.see(event));
  /** Says how it ended, lets the run's own reader write its files, and only then lets the caller go on. */
  const finish = (end: RunEnd, settle: () => void) => {
    events.emit({ type: "finished", at: Date.now(), end });
    (reader?.close() ?? Promise.resolve()).then(settle, settle);
  };

  const driver: Driver<Candidate, Value, Result> = new Driver({
    search: options.search,
    ...settings,
    record,
    book,
    events,
    cache,
    attempts: history?.attempts ?? new Map(),
    stopAtTell: history?.timeLimitTell,
    openPool: (listener) => pool.open(job, listener),
    onEnd: (end, error) => {
      try {
        if (end.state === "done") {
          const { digest, tells, reproducible } = end;
          const outcome = { result: options.search.result(), digest, tells, reproducible };
          closeDone(open, record, book, outcome);
          finish(end, () => done.resolve(outcome));
        } else {
          closeNotDone(open, record, book, end);
          finish(end, () => done.reject(error ?? new RunNotDone(end)));
        }
      } catch (closing) {
        const message = closing instanceof Error ? closing.message : String(closing);
        finish({ state: "error", message, tells: end.tells }, () => done.reject(closing));
      }
    },
  });

  // On the next turn, so that readers that subscribe right after `await start(…)` miss nothing.
  setImmediate(() => {
    events.emit({
      type: "run-started",
      at: Date.now(),
      start: {
        id,
        tool: shape.tool,
        directory: open?.directory,
        pool: pool.kind,
        workers: pool.workers ?? 0,
        seed: settings.seed,
        lookahead: settings.lookahead,
      },
    });
    if (open?.plan !== undefined) events.emit({ type: "resumed", at: Date.now(), plan: open.plan });
    for (const message of open?.notes ?? []) events.emit({ type: "note", at: Date.now(), message });
    driver.begin();
  });
  return {
    id,
    directory: open?.directory,
    events: { [Symbol.asyncIterator]: () => events.iterate() },
    subscribe: (listener) => events.subscribe(listener),
    finished: done.promise,
    interrupt: (reason = "interrupted") => driver.interrupt(reason),
  };
}

function checkSettings(options: StartOptions<never, never, unknown> | StartOptions<unknown, unknown, unknown>) {
  const onFailure = options.onFailure ?? "continue";
  if (onFailure !== "continue" && onFailure !== "stop") {
    throw new UsageError(`onFailure must be "continue" or "stop", not ${JSON.stringify(onFailure)}`);
  }
  return {
    seed: wholeNumber(options.seed ?? 0, {
      name: "seed",
      least: Number.MIN_SAFE_INTEGER,
      most: Number.MAX_SAFE_INTEGER,
    }),
    lookahead: wholeNumber(options.lookahead ?? DEFAULT_LOOKAHEAD, { name: "lookahead", least: 1, most: 1_000_000 }),
    retries: wholeNumber(options.retries ?? 0, { name: "retries", least: 0, most: 1000 }),
    backoffMs: milliseconds(options.backoffMs ?? 100, "backoffMs"),
    timeoutMs: milliseconds(options.timeoutMs ?? 0, "timeoutMs"),
    setupTimeoutMs: milliseconds(options.setupTimeoutMs ?? 60_000, "setupTimeoutMs"),
    maxTimeMs: milliseconds(options.maxTimeMs ?? 0, "maxTimeMs"),
    drainMs: milliseconds(options.drainMs ?? 5_000, "drainMs"),
    maxValueBytes: wholeNumber(options.maxValueBytes ?? DEFAULT_MAX_VALUE_BYTES, {
      name: "maxValueBytes",
      least: 1,
      most: 2 ** 29,
    }),
    onFailure,
  };
}

function moduleUrl(evaluator: URL | string): string {
  const url =
    evaluator instanceof URL
      ? evaluator.href
      : evaluator.startsWith("file:")
        ? evaluator
        : pathToFileURL(resolve(evaluator)).href;
  const path = fileURLToPath(url);
  if (!existsSync(path)) throw new UsageError(`there is no evaluator module at ${path}`);
  return url;
}

function encodeContext(context: unknown): string {
  try {
    return encode(context);
  } catch (error) {
    throw new UsageError(`the context cannot be sent to workers: ${error instanceof Error ? error.message : error}`);
  }
}

function fileHash(url: string): string {
  return hash("sha256", readFileSync(fileURLToPath(url)), "hex").slice(0, 16);
}

function openJournal(
  journal: JournalOptions | undefined,
  shape: RunShape,
  runToken: string,
  onLost: (error: Error) => void,
): OpenRun | undefined {
  if (journal === undefined) return undefined;
  const durable = journal.durable ?? "grouped";
  if (journal.resume === true) return reopenRun(journal.directory, shape, runToken, durable, onLost);
  const file = {
    format: RUN_FORMAT,
    id: basename(resolve(journal.directory)),
    ...shape,
    createdAt: new Date().toISOString(),
  };
  return createRun(journal.directory, file, runToken, durable, onLost);
}

function directoryReader(journal: JournalOptions | undefined, shape: RunShape): DirectoryReader | undefined {
  if (journal === undefined) return undefined;
  return new DirectoryReader(journal.directory, factsOf(shape), journal.resume ?? false);
}

/** Writes the end down, in the order that loses nothing: journal, sync, result, lock. */
function closeDone(open: OpenRun | undefined, record: RunRecord, book: OutcomeBook, done: RunDone<unknown>): void {
  const { digest, tells, reproducible } = done;
  try {
    record.marker({ type: "run", event: "finished", at: Date.now(), tells, digest, reproducible });
    record.write();
    open?.writer.close();
    if (open !== undefined) writeResultFile(open.directory, { id: open.file.id, ...done });
  } finally {
    book.close();
    open?.lock.release();
  }
}

function closeNotDone(
  open: OpenRun | undefined,
  record: RunRecord,
  book: OutcomeBook,
  end: Exclude<RunEnd, { state: "done" }>,
): void {
  // A new run that failed before it had any outcome has nothing to resume: it leaves nothing behind.
  const empty = end.state === "error" && open?.history === undefined && book.size === 0;
  try {
    record.marker({ type: "run", event: end.state, at: Date.now(), tells: end.tells, message: end.message });
    record.write();
    open?.writer.close();
  } finally {
    book.close();
    open?.lock.release();
    if (open !== undefined && empty) rmSync(open.directory, { recursive: true, force: true });
  }
}
