import { chmodSync, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ResumeFacts, RunEnd } from "../contract/event.ts";
import type { PoolFactory } from "../contract/pool.ts";
import type { Search } from "../contract/search.ts";
import type { Run, RunDone } from "../driver/run.ts";
import { ReplayMismatch } from "../driver/run-record.ts";
import { SearchError } from "../driver/search-contract.ts";
import { start } from "../driver/start.ts";
import { onlyGiven } from "../only-given.ts";
import { DEFAULT_POOL, poolOf, recordedPool } from "../pools/registry.ts";
import { LockLost } from "../run-directory/lock.ts";
import { type RunFile, readRunFile } from "../run-directory/run-file.ts";
import { writeSearchTree } from "../run-directory/search-tree-file.ts";
import type { PreparedRun, RunShapeChoices } from "./prepared-run.ts";
import { reserveDirectory } from "./reserved-directory.ts";
import { PAGE_NAME, writeRunPage } from "./run-page.ts";
import { openSessionCache, type SessionCache } from "./session-cache.ts";

/** How a session works on a run. None of it changes the answer, except that a limit may end it early. */
export interface SessionOptions {
  /** Chooses the pool to work on, given what is on record of the run if it is resumed; the recorded or usual kind if absent. */
  readonly pool?: (recorded: RunFile | undefined) => Promise<PoolFactory>;
  readonly maxTimeMs?: number;
  /** A cache file, or true for the usual one. */
  readonly cache?: string | true;
  /** US dollars; for runs that ask models. */
  readonly maxCost?: number;
  /** Sync the journal before every single tell. */
  readonly durable?: boolean;
  readonly timers?: boolean;
  /** Resume also with an evaluator that is different code now. */
  readonly acceptChanges?: boolean;
  /** Hears one line when it takes a while to see whether another process still works on the run. */
  readonly onLockWait?: (message: string) => void;
  /** Called when the run is under way: to follow it, or to interrupt it. */
  readonly onRun?: (run: Run<unknown>, directory: string) => void;
  /** Makes the page of the run in a directory, which is written when the session is over; without it there is none. */
  readonly page?: (directory: string) => Promise<string>;
}

/** Where a session's run comes from: a new one among `runs`, or the recorded one in a directory. */
export type RunOrigin =
  | { readonly runs: string; readonly id?: string | undefined; readonly shape?: RunShapeChoices }
  | { readonly resume: string };

/** How a session of a run ended. A run that came to nothing is an error that is thrown instead. */
export interface EndedSession<Result> {
  readonly id: string;
  readonly directory: string;
  /** What the journal had, if the run was resumed. */
  readonly resumed: ResumeFacts | undefined;
  readonly end: EndedRun<Result>;
}

/** How a run ended, and what is known if that was too early. */
export type EndedRun<Result> =
  | ({ readonly state: "done" } & RunDone<Result>)
  | (Exclude<RunEnd, { state: "done" }> & {
      /** False when trying again would end the same way. */
      readonly resumable: boolean;
      /** What is known of the result all the same. */
      readonly partial: Result | undefined;
    });

/** Runs a prepared run to its end, started or resumed: the one way for commands, pages and programs. */
export async function runToEnd<Candidate, Value, Result>(
  prepared: PreparedRun<Candidate, Value, Result>,
  origin: RunOrigin,
  options: SessionOptions,
): Promise<EndedSession<Result>> {
  if ("resume" in origin)
    return session(prepared, origin.resume, options, await recordedTerms(prepared, origin.resume, options));
  const pool = await poolFor(prepared, options);
  const reserved = reserveDirectory(origin.runs, origin.id);
  try {
    const { directory } = reserved;
    const shape = { ...prepared.shape, ...origin.shape };
    const terms = { shape, pool, resume: false, tool: prepared.tool, options: prepared.record(directory) };
    return await session(prepared, directory, options, terms);
  } finally {
    reserved.giveBack();
  }
}

/** What is settled by the run's record, or for it. */
interface Terms {
  readonly shape: RunShapeChoices;
  readonly pool: PoolFactory;
  readonly resume: boolean;
  readonly tool: string;
  readonly options: unknown;
}

async function recordedTerms(
  prepared: Pick<PreparedRun, "pool">,
  directory: string,
  options: SessionOptions,
): Promise<Terms> {
  const file = readRunFile(directory);
  const { seed, lookahead, retries, timeoutMs, onFailure, tool, options: record } = file;
  const shape = { seed, lookahead, retries, timeoutMs, onFailure };
  return { shape, pool: await poolFor(prepared, options, file), resume: true, tool, options: record };
}

function poolFor(tool: Pick<PreparedRun, "pool">, { pool }: SessionOptions, file?: RunFile): Promise<PoolFactory> {
  if (tool.pool !== undefined) return tool.pool();
  if (pool !== undefined) return pool(file);
  const kind = file === undefined ? DEFAULT_POOL : recordedPool(file, "register it, or give another").kind;
  return poolOf(kind, { workers: "auto" });
}

async function session<Candidate, Value, Result>(
  prepared: PreparedRun<Candidate, Value, Result>,
  directory: string,
  options: SessionOptions,
  { shape, pool, resume, tool, options: record }: Terms,
): Promise<EndedSession<Result>> {
  let cache: SessionCache | undefined;
  let followed: Followed<Result>;
  try {
    await prepared.before?.(directory, options);
    if (prepared.isPrivate === true && statSync(directory).uid === process.getuid?.()) chmodSync(directory, 0o700);
    cache = openSessionCache(options.cache);
    const { search, evaluator, context, shared, resources, impure, policy, wholeBatches, drainMs } = prepared;
    const { inputs, lockStaleMs, evaluatorFiles, evaluatorFolders } = prepared;
    const run = await start<Candidate, Value, Result>({
      search,
      evaluator,
      ...onlyGiven({
        evaluatorFiles,
        evaluatorFolders,
        context,
        shared,
        resources,
        impure,
        policy,
        wholeBatches,
        drainMs,
      }),
      ...prepared.placed?.(directory, resume, options),
      ...shape,
      pool,
      ...onlyGiven({ maxTimeMs: prepared.keepsTime === true ? undefined : options.maxTimeMs, cache: cache?.cache }),
      timers: options.timers ?? false,
      journal: {
        directory,
        resume,
        acceptChanges: options.acceptChanges ?? false,
        tool,
        options: record,
        durable: options.durable === true ? "strict" : "grouped",
        ...onlyGiven({ inputs, lockStaleMs, onLockWait: options.onLockWait }),
      },
    });
    prepared.begun?.(run, directory, options);
    options.onRun?.(run, directory);
    followed = await follow(prepared, run, directory);
  } finally {
    await prepared.over?.(directory);
    cache?.close();
    if (!existsSync(join(directory, "run.json"))) cache?.giveBack();
  }
  if (options.page !== undefined && followed.isOurs) {
    const further = followed.session.end.state === "done" ? prepared.pages?.(directory) : undefined;
    const pages = [join(directory, PAGE_NAME), ...(further ?? [])];
    await writeRunPage(directory, followed.hasNews ? pages : pages.filter((path) => !existsSync(path)), options.page);
  }
  return followed.session;
}

/** A session that is over, and whether its page is to be written. */
interface Followed<Result> {
  readonly session: EndedSession<Result>;
  /** False when another process has the run now. */
  readonly isOurs: boolean;
  /** False when everything was answered from the journal: a page that there is stands. */
  readonly hasNews: boolean;
}

async function follow<Result>(
  prepared: Pick<PreparedRun<never, never, Result>, "finish" | "partial"> & {
    readonly search: Pick<Search<never, never, Result>, "tree">;
  },
  run: Run<Result>,
  directory: string,
): Promise<Followed<Result>> {
  let resumed: ResumeFacts | undefined;
  let end: RunEnd | undefined;
  let hasNews = false;
  run.subscribe((event) => {
    if (event.type === "resumed") resumed = event.plan;
    if (event.type === "finished") end = event.end;
    if (event.type === "completed" || event.type === "failed") hasNews = true;
  });
  const ended = (how: EndedRun<Result>, isOurs = true): Followed<Result> => ({
    session: { id: run.id, directory, resumed, end: how },
    isOurs,
    hasNews: hasNews || how.state !== "done",
  });
  let done: RunDone<Result>;
  try {
    done = await run.finished;
  } catch (error) {
    // Nothing was kept: there is nothing to continue, and the error says why.
    if (end === undefined || end.state === "done" || !existsSync(directory)) throw error;
    // What is left to do, and to write, is for whoever has the run now.
    if (error instanceof LockLost) return ended({ ...end, resumable: false, partial: undefined }, false);
    const resumable = !(error instanceof ReplayMismatch || error instanceof SearchError);
    return ended({ ...end, resumable, partial: prepared.partial?.(directory) });
  }
  const tree = prepared.search.tree?.();
  if (tree !== undefined) writeSearchTree(directory, tree);
  prepared.finish?.(done.result, directory);
  return ended({ state: "done", ...done });
}
