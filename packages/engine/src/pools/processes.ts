import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { childrenBelow, endStarted, type Started } from "../child-process/children-below.ts";
import { endLimitMarked, limitDigits } from "../child-process/limit-mark.ts";
import { endMarkedProcesses, inheritedMark, RUN_MARK } from "../child-process/marked-processes.ts";
import { lastOutput } from "../child-process/output.ts";
import { processStart } from "../child-process/process-table.ts";
import { killQuietly } from "../child-process/send-signal.ts";
import type { PoolFactory, PoolJob } from "../contract/pool.ts";
import { CORE_SHARE, shareOfEach } from "../cores/core-budget.ts";
import { CurrentTaskFile } from "../worker/current-task.ts";
import { FrameReader, frame } from "../worker/frames.ts";
import { descriptor, type ProcessStart, workerEntry } from "../worker/starting.ts";
import type { CrewSettings, LinkEvents, WorkerEnd, WorkerLink } from "../worker/worker-link.ts";
import { carriedJob, type FromWorker } from "../worker/worker-message.ts";
import { crewPool } from "./crew/crew.ts";
import { HOT_LOOP_FLAG } from "./hot-loops.ts";
import type { CrewOptions } from "./pool-options.ts";
import { Watcher } from "./watcher.ts";

/** After a process has ended, how long its last output may take to arrive (a grandchild may hold the pipe open). */
const LAST_OUTPUT_MS = 250;
/** Node waits for ever at its start for threads that the system refuses it: when nothing is heard for this long, it does. */
const BOOT_MS = 120_000;

/** Worker processes: each with its own memory and process group, so that a crash or a kill takes nothing else along. */
export function processes(options: CrewOptions = {}): PoolFactory {
  return crewPool("processes", options, startProcess, BOOT_MS);
}

function startProcess(job: PoolJob, mark: string, events: LinkEvents, { workers, memoryMb }: CrewSettings): WorkerLink {
  const current = CurrentTaskFile.make();
  const heap = memoryMb === undefined ? [] : [`--max-old-space-size=${memoryMb}`];
  const entry = fileURLToPath(workerEntry.process);
  const args = [...inheritedFlags(process.execArgv), HOT_LOOP_FLAG, ...heap, entry];
  const child = spawn(process.execPath, args, {
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "pipe", "pipe", "pipe", current.fd],
    env: { ...process.env, [RUN_MARK]: inheritedMark(mark), [CORE_SHARE]: shareOfEach(workers) },
  });
  const { pid } = child;
  // Without a free file descriptor the child does not even have pipes; why is told later.
  child.on("error", () => {});
  if (child.stdio === undefined) {
    current.close();
    throw new Error("EMFILE: the process could not be started");
  }
  const tasks = pipe(child, descriptor.tasks) as Writable;
  // A pipe to a process that has died breaks; that it died is told by its exit.
  for (const stream of child.stdio) stream?.on("error", () => {});
  const start: ProcessStart = { ...carriedJob(job), runToken: job.runToken, limitMark: limitDigits(mark) };
  tasks.write(frame(start));
  /** What was below the worker when it was told to end. */
  const below: { seen: Started } = { seen: new Map() };
  const watched = watchOver(job);
  listen(child, events, mark, () => {
    current.close();
    endStarted(below.seen);
    watched.end();
  });
  return {
    pid: pid ?? 0,
    pidStart: (pid !== undefined && processStart(pid)) || "",
    post: (message) => {
      if (message[0] === "close" && pid !== undefined) below.seen = childrenBelow(pid);
      tasks.write(frame(message));
    },
    lastStart: () => current.lastStart(),
    kill: () => {
      // Looked for before their parent is gone.
      if (pid !== undefined) below.seen = childrenBelow(pid);
      if (pid !== undefined) killQuietly(-pid);
      endMarkedProcesses(mark);
    },
  };
}

interface Watched {
  workers: number;
  readonly watcher: Watcher;
}

/** One watcher for all workers of a pool: each ends what it has when we are killed, and what is left then is the watcher's. */
const watchers = new WeakMap<PoolJob, Watched>();

function watchOver(job: PoolJob): { end(): void } {
  const watched = watchers.get(job) ?? { workers: 0, watcher: new Watcher(job.runToken) };
  watchers.set(job, watched);
  watched.workers++;
  return {
    end: () => {
      if (--watched.workers > 0) return;
      endLimitMarked(job.runToken);
      watched.watcher.dismiss();
      watchers.delete(job);
    },
  };
}

function listen(child: ChildProcess, events: LinkEvents, mark: string, cleanUp: () => void): void {
  let dying: { readonly reason: string; readonly stack: string } | undefined;
  const reader = new FrameReader((received) => {
    // Cast: frames come from our own entry module.
    const message = received as FromWorker;
    if (message[0] === "dying") dying = { reason: message[1], stack: message[2] };
    else events.message(message);
  });
  const results = pipe(child, descriptor.results) as Readable;
  results.on("data", (piece: Buffer) => reader.push(piece));
  const outputs = [child.stdout, child.stderr].filter((stream) => stream !== null);
  for (const stream of outputs) {
    stream.setEncoding("utf8");
    stream.on("data", (text: string) => events.output(text));
  }
  const streams: Readable[] = [results, ...outputs];
  const finish = (end: WorkerEnd): void => {
    events.ended(end);
    for (const stream of child.stdio) stream?.destroy();
    cleanUp();
  };
  child.on("error", (error) => {
    if (child.pid === undefined) finish({ reason: `the process could not be started: ${error.message}` });
  });
  child.on("exit", (exitCode, signal) => {
    if (child.pid !== undefined) killQuietly(-child.pid);
    if (exitCode !== 0) {
      endMarkedProcesses(mark);
      endLimitMarked(mark);
    }
    void lastOutput(streams, LAST_OUTPUT_MS).then(() => finish(processEnd(exitCode, signal, dying)));
  });
}

function pipe(child: ChildProcess, fd: number): Socket {
  // Cast: what `spawn` makes of "pipe" beyond the standard three is a socket.
  return child.stdio[fd] as unknown as Socket;
}

function processEnd(
  exitCode: number | null,
  signal: NodeJS.Signals | null,
  dying: { readonly reason: string; readonly stack: string } | undefined,
): WorkerEnd {
  const how = signal === null ? `the process ended with exit code ${exitCode}` : `the process was ended by ${signal}`;
  return {
    reason: dying?.reason ?? how,
    ...(exitCode !== null && { exitCode }),
    ...(signal !== null && { signal }),
    ...(dying !== undefined && { stack: dying.stack }),
  };
}

/** This process's own flags that a worker must share to load the same modules; not those that make it debug, test or print. */
function inheritedFlags(flags: readonly string[]): string[] {
  const kept: string[] = [];
  for (let i = 0; i < flags.length; i++) {
    if (/^(-C|-r|--conditions|--require|--import|--loader|--experimental-loader)$/.test(flags[i])) {
      kept.push(flags[i], flags[++i] ?? "");
    } else if (
      /^--(conditions|require|import|loader|experimental|no-experimental|disable-warning|no-warnings)/.test(flags[i])
    ) {
      kept.push(flags[i]);
    }
  }
  return kept;
}
