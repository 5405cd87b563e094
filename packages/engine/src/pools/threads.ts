import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { endMarkedProcesses, inheritedMark, RUN_MARK } from "../child-process/marked-processes.ts";
import { processStart } from "../child-process/process-table.ts";
import type { PoolFactory, PoolJob } from "../contract/pool.ts";
import { CORE_SHARE, shareOfEach } from "../cores/core-budget.ts";
import { awake } from "../worker/awake-clock.ts";
import { CurrentTask } from "../worker/current-task.ts";
import { type ThreadStart, workerEntry } from "../worker/starting.ts";
import type { CrewSettings, LinkEvents, WorkerEnd, WorkerLink } from "../worker/worker-link.ts";
import { type FromWorker, workerJob } from "../worker/worker-message.ts";
import { crewPool } from "./crew/crew.ts";
import { keepHotLoopsFast } from "./hot-loops.ts";
import type { CrewOptions } from "./pool-options.ts";
import { ThreadChildren } from "./thread-children.ts";

/**
 * A thread at its heap limit is ended with 16 MB to spare. What one collection of the young generation moves over must fit
 * into that, or the whole process is aborted (at the default of 48 MB it was, in 5 of 12 tries).
 */
const YOUNG_MB = 16;

/**
 * Node 22 aborts the whole process when a thread is ended while it requires an ES module, as an evaluator in CommonJS does
 * first of all. There a thread that is still starting has this long to finish that.
 */
const LOADING_MS = process.version.startsWith("v22.") ? 1000 : 0;

/** Worker threads of this process: the fastest pool, with arrays shared between all workers. */
export function threads(options: CrewOptions = {}): PoolFactory {
  return crewPool("threads", options, startThread);
}

function startThread(job: PoolJob, mark: string, events: LinkEvents, { workers, memoryMb }: CrewSettings): WorkerLink {
  keepHotLoopsFast();
  const current = new CurrentTask();
  const start: ThreadStart = { job: workerJob(job), current: current.buffer, awake: awake.clock.buffer };
  const worker = new Worker(workerEntry.thread, {
    workerData: start,
    stdout: true,
    stderr: true,
    env: { ...process.env, [RUN_MARK]: inheritedMark(mark), [CORE_SHARE]: shareOfEach(workers) },
    resourceLimits: {
      maxYoungGenerationSizeMb: YOUNG_MB,
      ...(memoryMb !== undefined && { maxOldGenerationSizeMb: memoryMb }),
    },
  });
  const children = childrenOf(job);
  const thread = () => current.thread;
  children.add(thread);
  let uncaught: Error | undefined;
  const loaded = Promise.withResolvers<void>();
  // Cast: messages come from our own entry module.
  worker.on("message", (message: FromWorker) => {
    if (message[0] !== "booted") loaded.resolve();
    events.message(message);
  });
  worker.on("error", (error) => {
    uncaught = error instanceof Error ? error : new Error(String(error));
  });
  for (const stream of [worker.stdout, worker.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (text: string) => events.output(text));
  }
  worker.on("exit", (exitCode) => {
    children.end(thread);
    events.ended(threadEnd(exitCode, uncaught));
  });
  return {
    pid: process.pid,
    pidStart: processStart(process.pid) ?? "",
    post: (message) => {
      if (message[0] === "close") children.see(thread);
      worker.postMessage(message);
    },
    lastStart: () => current.lastStart(),
    kill: () => {
      const end = () => void worker.terminate();
      if (LOADING_MS === 0) end();
      else void Promise.race([loaded.promise, sleep(LOADING_MS, undefined, { ref: false })]).then(end);
      // A thread that waits for a program it started ends only when the program does.
      children.endBelow(thread);
      endMarkedProcesses(mark);
    },
  };
}

/** One for all threads of a pool. */
const childrenOfJobs = new WeakMap<PoolJob, ThreadChildren>();

function childrenOf(job: PoolJob): ThreadChildren {
  const known = childrenOfJobs.get(job) ?? new ThreadChildren(job.runToken);
  childrenOfJobs.set(job, known);
  return known;
}

function threadEnd(exitCode: number, uncaught: Error | undefined): WorkerEnd {
  if (uncaught === undefined) return { reason: `the thread ended with exit code ${exitCode}`, exitCode };
  const outOfMemory = "code" in uncaught && uncaught.code === "ERR_WORKER_OUT_OF_MEMORY";
  return {
    reason: outOfMemory ? "the thread ran out of memory" : `uncaught ${uncaught.name}: ${uncaught.message}`,
    exitCode,
    ...(uncaught.stack !== undefined && { stack: uncaught.stack }),
  };
}
