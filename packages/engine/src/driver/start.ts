import { existsSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { SessionCode } from "../code-version/changed-code.ts";
import { diskNeeds } from "../code-version/disk-needs.ts";
import { evaluatorName } from "../code-version/evaluator-name.ts";
import type { EvaluatorAt } from "../contract/evaluator.ts";
import type { RunEnd } from "../contract/event.ts";
import type { PoolJob } from "../contract/pool.ts";
import { knownFrom } from "../journal/reproducible.ts";
import { onlyGiven } from "../only-given.ts";
import { threads } from "../pools/threads.ts";
import { DirectoryReader } from "../readers/directory-reader.ts";
import { createRun, type OpenRun, type RunShape, reopenRun } from "../run-directory/open-run.ts";
import { JOURNAL_NAME, RUN_FORMAT } from "../run-directory/run-file.ts";
import { COORDINATOR, collectOwnTimers } from "../timers/timed.ts";
import { UsageError } from "../usage-error.ts";
import { encode } from "../values/encode.ts";
import { COPPICE_VERSION } from "../version.ts";
import { checkGiven } from "./check-given.ts";
import { closeDone, closeNotDone } from "./close-run.ts";
import { Driver } from "./driver.ts";
import { evaluationStore } from "./evaluation-store.ts";
import { EventStream } from "./event-stream.ts";
import { OutcomeBook } from "./outcome-book.ts";
import { type Run, type RunDone, RunNotDone } from "./run.ts";
import { RunRecord } from "./run-record.ts";
import { checkSettings, type JournalOptions, type StartOptions } from "./start-options.ts";

/** Starts a run. Checks everything first: a wrong option throws {@link UsageError} and leaves nothing behind. */
export async function start<Candidate, Value, Result>(
  options: StartOptions<Candidate, Value, Result> & { readonly evaluator: EvaluatorAt<Candidate, Value> | string },
): Promise<Run<Result>> {
  checkGiven(options);
  const evaluatorUrl = moduleUrl(options.evaluator);
  const settings = checkSettings(options);
  const pool = options.pool ?? threads();
  const runToken = crypto.randomUUID();
  const context = encodeContext(options.context);
  // Nobody reads the version of a run that is not written down.
  const isKept = options.journal !== undefined || options.cache !== undefined;
  const code = isKept ? new SessionCode(evaluatorUrl, options.evaluatorFiles) : undefined;
  const job: PoolJob = {
    evaluatorUrl,
    evaluatorName: () => evaluatorName(evaluatorUrl),
    disk: () => diskNeeds(options.evaluatorFolders, options.evaluatorFiles),
    context,
    seed: settings.seed,
    setupTimeoutMs: settings.setupTimeoutMs,
    maxValueBytes: settings.maxValueBytes,
    timers: options.timers ?? false,
    runToken,
    ...onlyGiven({ shared: options.shared, resources: options.resources }),
  };
  const shape: RunShape = {
    tool: options.journal?.tool ?? "library",
    options: options.journal?.options ?? null,
    seed: settings.seed,
    lookahead: settings.lookahead,
    retries: settings.retries,
    timeoutMs: settings.timeoutMs,
    onFailure: settings.onFailure,
    maxValueBytes: settings.maxValueBytes,
    evaluator: code?.recorded ?? { url: evaluatorUrl, version: "" },
    context,
    inputs: options.journal?.inputs,
    pool: { kind: pool.kind },
    versions: { coppice: COPPICE_VERSION, node: process.versions.node },
  };

  const cache = options.cache && (await evaluationStore(options.cache, shape, options.shared));
  // Files that are named belong to a run also where its evaluations cannot come again.
  const isSettled = options.impure === undefined || options.evaluatorFiles !== undefined;
  const accept = !isSettled || options.journal?.acceptChanges === true;
  const open = await openJournal(options.journal, shape, runToken, accept, (error) => driver.fail(error));
  const held = () => open?.lock.held ?? true;
  const events = new EventStream(held);
  const reader = options.journal && new DirectoryReader(options.journal.directory, held);
  const history = open?.history;
  const book = new OutcomeBook(history, open === undefined ? undefined : join(open.directory, JOURNAL_NAME));
  const record = new RunRecord(open?.writer, history);
  const done = Promise.withResolvers<RunDone<Result>>();
  done.promise.catch(() => {}); // a run that nobody awaits still ends quietly; its events say how
  const id = open?.file.id ?? runToken.slice(0, 8);
  const ownTimers = options.timers ? collectOwnTimers() : undefined;
  if (reader !== undefined) events.subscribe((event) => reader.see(event));
  /** The last words before the journal says that it is over. */
  const sayOwnTimers = () => {
    const totals = ownTimers?.() ?? {};
    if (Object.keys(totals).length > 0) {
      events.emit({ type: "timers", at: Date.now(), worker: COORDINATOR, totals });
    }
    reader?.flush();
  };
  /** Says how it ended, lets the run's own reader write its files, and only then lets the caller go on. */
  const finish = (end: RunEnd, settle: () => void) => {
    events.emit({ type: "finished", at: Date.now(), end });
    (reader?.close() ?? Promise.resolve()).then(settle, settle);
  };

  const driver: Driver<Candidate, Value, Result> = new Driver({
    search: options.search,
    ...settings,
    policy: options.policy,
    admit: options.admit,
    record,
    book,
    events,
    cache,
    attempts: history?.attempts ?? new Map(),
    stopAtTell: history?.timeLimitTell,
    reproducible: knownFrom(options.impure, history),
    changedCode: () => (options.impure === undefined ? code?.changed() : undefined),
    changedFiles: () => (options.impure === undefined ? code?.changedBesides() : undefined),
    openPool: (listener) => pool.open(job, listener),
    onEnd: (end, error) => {
      try {
        sayOwnTimers();
        if (end.state === "done") {
          const { digest, tells, reproducible } = end;
          const outcome = { result: driver.result(), digest, tells, reproducible };
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
    if (open?.resumed !== undefined) events.emit({ type: "resumed", at: Date.now(), plan: open.resumed });
    const unlimited = settings.timeoutMs > 0 ? pool.timeLimitNote : undefined;
    const notes = [...(open?.notes ?? []), ...(unlimited === undefined ? [] : [unlimited])];
    for (const message of notes) events.emit({ type: "note", at: Date.now(), message });
    if (options.prepare === undefined) driver.begin();
    else
      options.prepare().then(
        () => driver.begin(),
        (error: unknown) => driver.fail(asError(error)),
      );
  });
  return {
    id,
    directory: open?.directory,
    events: { [Symbol.asyncIterator]: () => events.iterate() },
    subscribe: (listener) => events.subscribe(listener),
    finished: done.promise,
    interrupt: (reason = "interrupted") => driver.interrupt(reason),
    note: (message) => events.emit({ type: "note", at: Date.now(), message }),
  };
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** The evaluator's module as a `file:` URL; it must exist. */
export function moduleUrl(evaluator: URL | string): string {
  const url =
    evaluator instanceof URL
      ? evaluator.href
      : evaluator.startsWith("file:")
        ? evaluator
        : pathToFileURL(resolve(evaluator)).href;
  if (!url.startsWith("file:")) throw new UsageError(`evaluator must be a file on this machine, not ${url}`);
  const path = fileURLToPath(url);
  if (!existsSync(path)) throw new UsageError(`there is no evaluator module at ${path}`);
  if (statSync(path).isDirectory()) throw new UsageError(`${path} is a folder: an evaluator is a module, a file`);
  return url;
}

function encodeContext(context: unknown): string {
  try {
    return encode(context);
  } catch (error) {
    throw new UsageError(`the context cannot be sent to workers: ${error instanceof Error ? error.message : error}`);
  }
}

async function openJournal(
  journal: JournalOptions | undefined,
  shape: RunShape,
  runToken: string,
  acceptChanges: boolean,
  onLost: (error: Error) => void,
): Promise<OpenRun | undefined> {
  if (journal === undefined) return undefined;
  const durable = journal.durable ?? "grouped";
  const { lockStaleMs, onLockWait: onWait } = journal;
  const terms = { onLost, ...onlyGiven({ onWait, staleMs: lockStaleMs }) };
  if (journal.resume === true) {
    return reopenRun(journal.directory, shape, runToken, durable, terms, acceptChanges);
  }
  const file = {
    format: RUN_FORMAT,
    id: basename(resolve(journal.directory)),
    ...shape,
    createdAt: new Date().toISOString(),
  };
  return createRun(journal.directory, file, runToken, durable, terms);
}
