import { closeSync, copyFileSync, existsSync, openSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { basename, join, resolve } from "node:path";
import { processPlace } from "../child-process/process-place.ts";
import { processStart } from "../child-process/process-table.ts";
import { checkCode } from "../code-version/changed-code.ts";
import type { ResumeFacts } from "../contract/event.ts";
import { fileModeIn } from "../files/file-mode.ts";
import { makeDirectory } from "../files/make-directory.ts";
import { syncPath } from "../files/sync-path.ts";
import { plainBody, type RunIdentity, type RunMarker } from "../journal/entry.ts";
import { type History, readHistory } from "../journal/history.ts";
import { type Durability, JournalWriter } from "../journal/writer.ts";
import { UsageError } from "../usage-error.ts";
import { inTheWay } from "./cut-off-start.ts";
import { originOf } from "./directory-identity.ts";
import { endLeftovers, type Unfinished } from "./leftovers.ts";
import { LockLost, type LockTerms, RunLock } from "./lock.ts";
import { resultProblem } from "./result-check.ts";
import { readResultFile } from "./result-file.ts";
import { JOURNAL_NAME, type RunFile, readRunFile, writeRunFile } from "./run-file.ts";
import { identityOf } from "./run-identity.ts";

/** A run directory that this process alone may write. */
export interface OpenRun {
  readonly directory: string;
  readonly file: RunFile;
  readonly writer: JournalWriter;
  /** What earlier sessions did; undefined for a new run. */
  readonly history: History | undefined;
  readonly resumed: ResumeFacts | undefined;
  readonly lock: RunLock;
  readonly notes: readonly string[];
}

/** What shapes a run's answer; a resumed run must be given the same. */
export type RunShape = Omit<RunFile, "format" | "id" | "createdAt">;

/** Makes a new run directory; whatever is in the way is a usage error. */
export async function createRun(
  directory: string,
  shape: RunFile,
  runToken: string,
  durable: Durability,
  terms: LockTerms,
): Promise<OpenRun> {
  checkFree(directory);
  makeDirectory(join(directory, "logs"));
  const lock = await RunLock.acquire(directory, terms);
  try {
    checkFree(directory); // another process may have come and gone meanwhile
  } catch (error) {
    lock.release();
    throw error;
  }
  try {
    for (const name of readdirSync(directory)) if (name.endsWith(".draft")) rmSync(join(directory, name));
    writeRunFile(directory, shape);
    const path = join(directory, JOURNAL_NAME);
    const writer = new JournalWriter(path, 0, durable, () => lock.confirm());
    writer.append(plainBody(opened(path, runToken, identityOf(shape))));
    settle(writer, directory);
    return { directory, file: shape, writer, history: undefined, resumed: undefined, lock, notes: [] };
  } catch (error) {
    lock.release();
    if (!(error instanceof LockLost)) rmSync(directory, { recursive: true, force: true });
    throw error;
  }
}

/** What a resume needs is on the disk, names and all, before the first task starts. */
function settle(writer: JournalWriter, directory: string): void {
  writer.write();
  writer.sync();
  syncPath(directory);
}

/** A run that comes to nothing is removed with its directory: nothing else may be in there. */
function checkFree(directory: string): void {
  if (existsSync(join(directory, "run.json"))) {
    throw new UsageError(`run ${basename(resolve(directory))} exists (${directory}): resume it, or choose another id`);
  }
  const problem = inTheWay(directory);
  if (problem !== undefined) throw new UsageError(problem);
}

/** Opens an existing run to continue it: takes the lock, cuts a torn end off, ends what earlier sessions left running. */
export async function reopenRun(
  directory: string,
  shape: RunShape,
  runToken: string,
  durable: Durability,
  terms: LockTerms,
  acceptChanges = false,
): Promise<OpenRun> {
  const file = readRunFile(directory);
  const notes = compareShape(file, shape);
  const lock = await RunLock.acquire(directory, terms);
  try {
    const path = join(directory, JOURNAL_NAME);
    if (!existsSync(path)) beginJournal(directory, path);
    else if (lock.takenFrom?.mayReturn === true) leaveBehind(path);
    const history = readHistory(path);
    const changedResult = checkResult(directory, file.id);
    if (changedResult !== undefined) notes.push(changedResult);
    const change = checkCode(file, shape.evaluator, history, acceptChanges);
    const writer = new JournalWriter(path, history.size.goodBytes, durable, () => lock.confirm());
    const note = (entry: RunMarker) => writer.append(plainBody(entry));
    note(opened(path, runToken, history.size.lines === 0 ? identityOf(file) : undefined));
    if (history.size.tornBytes > 0) {
      note({ type: "run", event: "truncated", at: Date.now(), bytes: history.size.tornBytes });
      notes.push(`cut ${history.size.tornBytes} bytes of an unfinished line off the journal's end`);
    }
    if (change !== undefined) {
      const { older: _, ...marker } = change;
      note(marker);
      notes.push(`the evaluator is different code now (${change.what}); what was evaluated before stays as it is`);
    }
    if (lock.takenFrom !== undefined) {
      note({ type: "run", event: "takeover", at: Date.now(), from: lock.takenFrom.who });
      notes.push(
        `took the lock over from ${lock.takenFrom.who}, which ${lock.takenFrom.mayReturn ? "shows no sign of life" : "is gone"}`,
      );
    }
    const stale = endLeftovers(path, history);
    for (const { ask, reason } of stale) writer.append(plainBody({ type: "requeued", at: Date.now(), ask, reason }));
    settle(writer, directory);
    const changes = change === undefined ? history.changes : [...history.changes, change];
    return {
      directory,
      file,
      writer,
      history: { ...history, changes },
      resumed: resumeFacts(history, stale),
      lock,
      notes,
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** The journal of a run that is to be read; says in one line when there is none. */
export function journalIn(directory: string): string {
  const path = join(directory, JOURNAL_NAME);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) return path;
  throw new UsageError(
    `${directory} has no ${JOURNAL_NAME} that could be read: it was removed, or the run never began`,
  );
}

/** True for a run that was killed before its first line: one that got further must have a journal. */
export function neverBegan(directory: string): boolean {
  if (existsSync(join(directory, JOURNAL_NAME)) || existsSync(join(directory, "result.json"))) return false;
  const logs = join(directory, "logs");
  return !existsSync(logs) || readdirSync(logs).length === 0;
}

function beginJournal(directory: string, path: string): void {
  if (!neverBegan(directory)) {
    throw new UsageError(`${directory} has no ${JOURNAL_NAME}: it was removed, so there is nothing to resume`);
  }
  closeSync(openSync(path, "wx", fileModeIn(directory)));
}

/**
 * Goes on in a copy of the journal, put in its place: an owner that was only stopped has the old file open, and what it
 * writes before it looks at its lock goes nowhere.
 */
function leaveBehind(path: string): void {
  const draft = `${path}.${crypto.randomUUID()}.draft`;
  try {
    copyFileSync(path, draft);
    syncPath(draft);
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

function opened(journal: string, runToken: string, run: RunIdentity | undefined): RunMarker {
  const place = processPlace();
  return {
    type: "run",
    event: "opened",
    at: Date.now(),
    pid: process.pid,
    pidStart: processStart(process.pid) ?? "",
    host: hostname(),
    ...(place === undefined ? {} : { place }),
    ...originOf(journal),
    node: process.version,
    runToken,
    ...(run === undefined ? {} : { run }),
  };
}

/** A result that was changed is written again; a journal that was is not gone on with. */
function checkResult(directory: string, id: string): string | undefined {
  let problem: ReturnType<typeof resultProblem>;
  try {
    const result = readResultFile(directory);
    problem = result && resultProblem(directory, JOURNAL_NAME, result, "whole");
  } catch (error) {
    if (error instanceof UsageError) return error.message; // unreadable, and written again
    throw error;
  }
  if (problem?.changed !== "journal") return problem?.message;
  throw new UsageError(
    `${problem.message}; put it back, or remove result.json to have run ${id} done from what is left`,
  );
}

/** Refuses to continue a run as another one; differences that do not shape the answer are only noted. */
function compareShape(file: RunFile, shape: RunShape): string[] {
  const shaping = [
    "tool",
    "seed",
    "lookahead",
    "retries",
    "timeoutMs",
    "onFailure",
    "maxValueBytes",
    "context",
    "inputs",
  ] as const;
  for (const field of shaping) {
    const was = JSON.stringify(file[field]);
    const is = JSON.stringify(shape[field]);
    if (was !== is && field === "inputs")
      throw new UsageError(
        `run ${file.id} was started on inputs that have changed since: put the files it reads back as they were, or start a new run`,
      );
    if (was !== is)
      throw new UsageError(
        `run ${file.id} was started with ${field} ${was ?? "none"}, not ${is ?? "none"}: resume it as it was, or start a new run`,
      );
  }
  const notes: string[] = [];
  if (file.versions.node !== shape.versions.node) {
    notes.push(
      `the run was started with Node ${file.versions.node}, this is ${shape.versions.node}: numbers may differ in the last digit`,
    );
  }
  return notes;
}

const ENDED = { stopped: "stopped", interrupted: "was interrupted", error: "ended in an error" } as const;

function resumeFacts(history: History, stale: readonly Unfinished[]): ResumeFacts {
  const { size } = history.failures;
  const answered = { reused: history.successes.size + size, ...(size > 0 && { failed: size }) };
  if (history.end?.event === "finished") return { ...answered, rerun: 0, reasons: [] };
  const open = history.askKeys.filter(
    (key, ask) => !history.successes.has(key) && !history.failures.has(key) && !history.withdrawn.has(ask),
  );
  const interrupted = new Map<string, number>();
  for (const { reason } of stale) interrupted.set(reason, (interrupted.get(reason) ?? 0) + 1);
  const rerun = new Set(open).size;
  const neverStarted = Math.max(0, rerun - stale.length);
  const reasons = [...interrupted].map(([reason, count]) => `${count} started, not finished: ${reason}`);
  if (neverStarted > 0) reasons.push(`${neverStarted} asked, never finished`);
  if (history.end !== undefined) reasons.push(`the last session ${ENDED[history.end.event]}: ${history.end.message}`);
  return { ...answered, rerun, reasons };
}
