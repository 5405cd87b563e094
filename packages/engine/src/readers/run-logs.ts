import { createWriteStream, mkdirSync, openSync, renameSync, statSync, type WriteStream } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { RunEvent, RunReader } from "../contract/event.ts";
import { endLines, failedText, requeuedText, resumedText, startedText } from "../display/announcements.ts";
import { formatMeasured, formatPercent, formatValue } from "../display/figures.ts";
import { RunView } from "../display/run-view.ts";
import { summaryLine } from "../display/summary-line.ts";
import type { WorkerView } from "../display/worker-row.ts";
import { directoryModeIn, fileModeIn } from "../files/file-mode.ts";

type Level = "info" | "warn" | "error";

export const LOGS = "logs";
const RUN_LOG = "run.log";

/** A worker's log, relative to the directory of logs. */
export function workerLogName(worker: number): string {
  return `worker-${worker}.log`;
}

const PROGRESS_EVERY_MS = 5000;
const BEST_EVERY_MS = 100;
/** Tasks at least this long get a line of their own; the journal has all of them. */
const LONG_TASK_MS = 1000;

/**
 * Writes a run's logs: `run.log` has the whole story and links each worker's own log, which has what that worker said.
 * At the end `run.log` sums up every worker.
 */
export class RunLogs implements RunReader {
  readonly #directory: string;
  readonly #run: LogFile;
  readonly #workers = new Map<number, LogFile>();
  readonly #view: RunView;
  readonly #shared: boolean;
  readonly #closing: Promise<void>[] = [];
  #progressAt = 0;
  #best: { readonly value: number; readonly at: number } | undefined;

  /** `directory` is the run's; `view` is one that its owner shows the same events, if there is one. */
  constructor(directory: string, view?: RunView) {
    this.#shared = view !== undefined;
    this.#view = view ?? new RunView({ keys: false });
    this.#directory = join(directory, LOGS);
    this.#run = new LogFile(join(this.#directory, RUN_LOG));
  }

  see(event: RunEvent): void {
    if (!this.#shared) this.#view.see(event);
    const { at } = event;
    switch (event.type) {
      case "run-started":
        this.#progressAt = at;
        this.#say("info", at, { event: event.type, ...event.start }, startedText(event.start));
        return;
      case "resumed":
        this.#say("info", at, { event: event.type, ...event.plan }, resumedText(event.plan));
        return;
      case "note":
        this.#say("info", at, { event: event.type }, event.message);
        return;
      case "worker":
        this.#workerChanged(event);
        return;
      case "log":
        this.#worker(event.worker).say("info", at, event.ask === undefined ? {} : { task: event.ask }, event.line);
        return;
      case "completed":
        if (event.elapsedMs < LONG_TASK_MS) return;
        this.#worker(event.worker).say(
          "info",
          at,
          { task: event.ask, key: event.key, ms: event.elapsedMs },
          `task ${event.ask} done in ${formatMeasured(event.elapsedMs)}`,
        );
        return;
      case "failed":
        this.#failed(event);
        return;
      case "requeued":
        this.#say("warn", at, { event: event.type, task: event.ask }, requeuedText(event));
        return;
      case "told":
        this.#told(event);
        return;
      case "finished":
        this.#finished(event);
        return;
      case "progress":
        if (event.progress.unit !== undefined) this.#counted(at);
        return;
      case "queued":
      case "started":
      case "cancelled":
      case "timers":
        return;
      default:
        event satisfies never;
    }
  }

  async close(): Promise<void> {
    for (const file of [this.#run, ...this.#workers.values()]) this.#closing.push(file.close());
    this.#workers.clear();
    await Promise.all(this.#closing);
  }

  #say(level: Level, at: number, fields: object, message: string): void {
    this.#run.say(level, at, fields, message);
  }

  #worker(worker: number): LogFile {
    let file = this.#workers.get(worker);
    if (file === undefined) {
      file = new LogFile(join(this.#directory, workerLogName(worker)));
      this.#workers.set(worker, file);
    }
    return file;
  }

  #workerChanged({ at, identity, state, reason }: Extract<RunEvent, { type: "worker" }>): void {
    const { worker, pid, host } = identity;
    const place = host === undefined ? `pid ${pid}` : `pid ${pid} on ${host}`;
    const why = reason === undefined ? "" : `: ${reason}`;
    const fields = { event: "worker", worker, pid, host, state, log: workerLogName(worker) };
    this.#say("info", at, fields, `worker ${worker} (${place}) ${state}${why}`);
    const file = this.#worker(worker);
    file.say("info", at, { pid }, `${state}${why}`);
    if (state === "ready") return;
    this.#workers.delete(worker);
    this.#closing.push(file.close());
  }

  #failed(event: Extract<RunEvent, { type: "failed" }>): void {
    const { at, ask, key, attempt, worker, failure, detail, willRetry } = event;
    const level = willRetry ? "warn" : "error";
    const text = failedText(event);
    this.#say(level, at, { event: "failed", task: ask, attempt, worker, log: workerLogName(worker) }, text);
    this.#worker(worker).say(level, at, { task: ask, key, attempt, failure, detail }, text);
  }

  #told({ at, told, asked, search }: Extract<RunEvent, { type: "told" }>): void {
    const { best } = search;
    if (best !== undefined && best !== this.#best?.value && at - (this.#best?.at ?? 0) >= BEST_EVERY_MS) {
      this.#best = { value: best, at };
      this.#say("info", at, { event: "best", told, best }, `best ${formatValue(best)} after ${told} tells`);
    }
    if (at - this.#progressAt < PROGRESS_EVERY_MS) return;
    this.#progressAt = at;
    this.#say("info", at, { event: "progress", told, asked, ...search }, summaryLine(this.#view.at(at)));
  }

  /** While tasks are long nothing is told: what they count says how far the run is. */
  #counted(at: number): void {
    if (at - this.#progressAt < PROGRESS_EVERY_MS) return;
    this.#progressAt = at;
    const run = this.#view.at(at);
    const { told, asked, best, levels, work } = run;
    this.#say("info", at, { event: "progress", told, asked, best, levels, work }, summaryLine(run));
  }

  #finished({ at, end }: Extract<RunEvent, { type: "finished" }>): void {
    const run = this.#view.at(at);
    const { told, asked, best, levels } = run;
    this.#say("info", at, { event: "progress", told, asked, best, levels }, summaryLine(run));
    for (const worker of run.workers) {
      const { done, failed, busyMs, aliveMs, timers } = worker;
      const log = workerLogName(worker.worker);
      const fields = { worker: worker.worker, done, failed, busyMs, aliveMs, timers, log };
      this.#say("info", at, { event: "worker-summary", ...fields }, workerSummary(worker));
    }
    if (Object.keys(run.ownTimers).length > 0) {
      const fields = { event: "coordinator-summary", timers: run.ownTimers };
      this.#say("info", at, fields, `coordinator: timed ${Object.keys(run.ownTimers).join(", ")}`);
    }
    this.#say(end.state === "done" ? "info" : "error", at, { event: "finished", ...end }, endLines(end).join(", "));
  }
}

function workerSummary({ worker, done, failed, busyMs, aliveMs }: WorkerView): string {
  const busy = aliveMs > 0 ? formatPercent(Math.min(1, busyMs / aliveMs)) : "0.0%";
  return `worker ${worker}: ${done} done, ${failed} failed attempts, busy ${busy} of ${formatMeasured(aliveMs)}; see ${workerLogName(worker)}`;
}

/** More than this unwritten means the disk does not keep up: lines are dropped rather than held. */
const MAX_UNWRITTEN_BYTES = 4 * 1024 * 1024;
/** A log that gets longer is put aside, in the place of the one put aside before. */
const MAX_LOG_BYTES = 16 * 1024 * 1024;

/**
 * One log file: a JSON object per line, appended without holding the run up. Of a long one the last part is kept, in two
 * files, and it says what is missing. A log that cannot be written is given up.
 */
export class LogFile {
  readonly #path: string;
  readonly #mostBytes: number;
  readonly #closed: Promise<void>[] = [];
  #stream: WriteStream | undefined;
  #bytes: number;
  #asideBytes = 0;
  #cutBytes = 0;
  #dropped = 0;

  constructor(path: string, mostBytes = MAX_LOG_BYTES) {
    this.#path = path;
    this.#mostBytes = mostBytes;
    this.#bytes = sizeOf(path);
    this.#asideBytes = sizeOf(aside(path));
    this.#open();
  }

  say(level: Level, at: number, fields: object, msg: string): void {
    if (this.#stream === undefined) return;
    if (this.#stream.writableLength >= MAX_UNWRITTEN_BYTES) {
      this.#dropped++;
      return;
    }
    this.#sayDropped(at);
    this.#write(level, at, fields, msg);
  }

  async close(): Promise<void> {
    this.#sayDropped(Date.now());
    this.#stream?.end();
    await Promise.all(this.#closed);
  }

  #sayDropped(at: number): void {
    const dropped = this.#dropped;
    this.#dropped = 0;
    if (dropped > 0)
      this.#write("warn", at, { dropped }, `the disk did not keep up: ${dropped} lines are missing here`);
  }

  #write(level: Level, at: number, fields: object, msg: string): void {
    const line = `${JSON.stringify({ level, time: new Date(at).toISOString(), ...fields, msg })}\n`;
    const bytes = Buffer.byteLength(line);
    if (this.#bytes > 0 && this.#bytes + bytes > this.#mostBytes) this.#putAside(at);
    this.#bytes += bytes;
    this.#stream?.write(line);
  }

  #open(): void {
    const stream = openStream(this.#path);
    this.#stream = stream;
    if (stream === undefined) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closed.push(promise);
    stream.on("error", () => {
      if (this.#stream === stream) this.#stream = undefined;
      resolve();
    });
    stream.on("close", resolve);
  }

  #putAside(at: number): void {
    try {
      renameSync(this.#path, aside(this.#path));
    } catch {
      return; // it has lost its name: it goes on growing
    }
    this.#stream?.end();
    this.#cutBytes += this.#asideBytes;
    this.#asideBytes = this.#bytes;
    this.#bytes = 0;
    this.#open();
    const cut = this.#cutBytes === 0 ? "" : `; ${this.#cutBytes} bytes before those were cut`;
    this.#write(
      "info",
      at,
      { cutBytes: this.#cutBytes },
      `what comes before is in ${basename(aside(this.#path))}${cut}`,
    );
  }
}

function aside(path: string): string {
  return path.replace(/(?:\.log)?$/, ".earlier.log");
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function openStream(path: string): WriteStream | undefined {
  try {
    // Not recursive: a run directory that has been removed must not come back for the sake of its logs.
    mkdirSync(dirname(path), directoryModeIn(dirname(dirname(path))));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) return undefined;
  }
  try {
    // Opened before anything is said: what is put aside is then always the file that is written to.
    return createWriteStream(path, { fd: openSync(path, "a", fileModeIn(dirname(path))) });
  } catch {
    return undefined;
  }
}
