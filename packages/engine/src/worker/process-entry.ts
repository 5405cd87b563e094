import { writeSync } from "node:fs";
import { Socket } from "node:net";
import { CurrentTaskFile } from "./current-task.ts";
import { FrameReader, frame } from "./frames.ts";
import { ownProcess } from "./own-process.ts";
import { descriptor, type ProcessStart } from "./starting.ts";
import { TaskRunner } from "./task-runner.ts";
import { startWatchdog } from "./watchdog.ts";
import { arrivedJob, type FromWorker, type ToWorker } from "./worker-message.ts";

/** What the watchdog may take to end everything before an orphaned worker ends by itself. */
const ORPHAN_MS = 10_000;

let runner: TaskRunner | undefined;

function begin(start: ProcessStart): void {
  startWatchdog(start.runToken);
  const marked = carryLimitMark(start.limitMark);
  const current = new CurrentTaskFile(descriptor.currentTask);
  runner = new TaskRunner(arrivedJob(start), {
    post,
    markStart: (atMs) => current.start(atMs),
    ended: () => process.exit(0),
  });
  ownProcess(runner, post);
  void runner.begin(marked);
}

/**
 * Has this process carry a mark in its limits, with all it starts from now on. Resolves also where that cannot be: elsewhere
 * than on Linux, and without `prlimit`, because Node cannot do it by itself. Loads nothing of ours: a worker's start is dear.
 */
function carryLimitMark(digits: string): Promise<void> {
  if (process.platform !== "linux") return Promise.resolve();
  const { spawn } = process.getBuiltinModule("node:child_process");
  const { promise, resolve } = Promise.withResolvers<void>();
  const setter = spawn("prlimit", ["--pid", String(process.pid), `--locks=${digits}:`], { stdio: "ignore" });
  setter.on("error", () => resolve());
  setter.on("exit", () => resolve());
  return promise;
}

/** Written at once, not when the event loop turns: what is posted has left even if the process dies right after. */
function post(message: FromWorker): void {
  const bytes = frame(message);
  let at = 0;
  while (at < bytes.length) {
    try {
      at += writeSync(descriptor.results, bytes, at);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) process.exit(1);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

// Casts: frames come from our own pool, the first one is the start.
const reader = new FrameReader((message) => {
  if (runner === undefined) begin(message as ProcessStart);
  else runner.receive(message as ToWorker);
});
const tasks = new Socket({ fd: descriptor.tasks, readable: true, writable: false });
tasks.on("data", (piece) => reader.push(piece));
tasks.on("close", () => {
  // The pool's process is gone. The watchdog, if there is one yet, takes along what tasks have started, and then this.
  if (runner === undefined) process.exit(1);
  setTimeout(() => process.exit(1), ORPHAN_MS);
});
