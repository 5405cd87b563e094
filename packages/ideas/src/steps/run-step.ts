import { type ChildProcess, spawn } from "node:child_process";
import { inheritedMark, processStart, RUN_MARK } from "@coppice/engine/evaluator";
import { ceilingOf, unsteeredEnvironment } from "../git/run-git.ts";
import type { Belongings } from "../leftovers/belongings.ts";
import type { FilledCommand } from "./placeholders.ts";
import { endRemains, endTree } from "./process-tree.ts";
import { StepLog } from "./step-log.ts";

/** How much of its standard output a step may mean for us: a verdict, a score, what it spent. */
const KEPT_BYTES = 1024 * 1024;
/** How long a pipe may stay open after the step itself has ended. */
const LAST_OUTPUT_MS = 250;

/** One child process to be run. */
export interface StepRequest {
  readonly label: string;
  readonly command: FilledCommand;
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly logPath: string;
  /** Ends the step with everything it started; the reason is the caller's. */
  readonly signal: AbortSignal;
  /** Where its process is on record while it lives. */
  readonly belongings: Belongings;
  readonly owner: string;
}

/** How a step ended. */
export interface StepOutcome {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** It did not end by itself: the signal came, or its log could not be written. */
  readonly wasEnded: boolean;
  /** Why it could not be started at all. */
  readonly unstartable: string | undefined;
  readonly stdout: string;
  readonly tail: readonly string[];
  /** Processes it left behind, which have been ended. */
  readonly leftBehind: number;
  readonly pid: number | undefined;
  readonly pidStart: string;
  readonly startedAt: number;
  readonly ms: number;
}

/** Runs a step in a process group of its own, its output in its log, and leaves nothing of it running. */
export async function runStep(request: StepRequest): Promise<StepOutcome> {
  request.signal.throwIfAborted();
  const { command, belongings, owner } = request;
  const mark = crypto.randomUUID();
  const startedAt = Date.now();
  const log = new StepLog(request.logPath, {
    at: new Date(startedAt).toISOString(),
    step: request.label,
    directory: request.directory,
    command: [command.file, ...command.args],
  });
  const record = (pid: number, pidStart: string) =>
    belongings.claim({ kind: "process", pid, pidStart, mark, step: request.label }, owner);
  // On record before it lives: by its mark it can be found even if we die before we know its number.
  const claimed = record(0, "");
  const began = performance.now();
  const run = await spawned(request, mark, log, record);
  belongings.release(claimed);
  const ms = performance.now() - began;
  const { exitCode, signal, wasEnded, leftBehind, unstartable } = run;
  log.close({ exitCode, signal, ms: Math.round(ms), wasEnded, leftBehind, unstartable });
  if (log.error !== undefined) throw log.error;
  return { ...run, tail: log.tail(), startedAt, ms };
}

type Run = Omit<StepOutcome, "tail" | "startedAt" | "ms">;

async function spawned(
  request: StepRequest,
  mark: string,
  log: StepLog,
  record: (pid: number, pidStart: string) => void,
): Promise<Run> {
  const { command, signal } = request;
  const child = spawn(command.file, command.args, {
    cwd: request.directory,
    env: {
      ...unsteeredEnvironment(),
      ...ceilingOf(request.directory),
      ...request.environment,
      [RUN_MARK]: inheritedMark(mark),
    },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = exitOf(child);
  const { pid } = child;
  if (pid === undefined) return { ...(await exited), wasEnded: false, stdout: "", leftBehind: 0, pid, pidStart: "" };
  const pidStart = processStart(pid) ?? "";
  record(pid, pidStart);

  let ending: Promise<void> | undefined;
  const end = (): void => {
    ending ??= endTree(pid, mark);
  };
  signal.addEventListener("abort", end, { once: true });
  const kept: Buffer[] = [];
  let keptBytes = 0;
  const take = (channel: "stdout" | "stderr", bytes: Buffer): void => {
    log.add(channel, bytes);
    if (log.error !== undefined) end();
    if (channel === "stderr" || keptBytes >= KEPT_BYTES) return;
    kept.push(bytes.subarray(0, KEPT_BYTES - keptBytes));
    keptBytes += bytes.length;
  };
  child.stdout.on("data", (bytes: Buffer) => take("stdout", bytes));
  child.stderr.on("data", (bytes: Buffer) => take("stderr", bytes));

  const exit = await exited;
  signal.removeEventListener("abort", end);
  await ending;
  const leftBehind = ending === undefined ? await endRemains(pid, mark) : 0;
  for (const stream of [child.stdout, child.stderr]) stream.destroy();
  const stdout = Buffer.concat(kept).toString("utf8");
  return { ...exit, wasEnded: ending !== undefined, stdout, leftBehind, pid, pidStart };
}

type Exit = Pick<StepOutcome, "exitCode" | "signal" | "unstartable">;

/** Waits for the step itself, and a moment for its last output: whoever it left behind may hold the pipe open. */
function exitOf(child: ChildProcess): Promise<Exit> {
  const { promise, resolve } = Promise.withResolvers<Exit>();
  child.on("error", (error) => {
    if (child.pid === undefined) resolve({ exitCode: null, signal: null, unstartable: reasonOf(error, child) });
  });
  child.on("exit", (exitCode, signal) => {
    const exit = { exitCode, signal, unstartable: undefined };
    const timer = setTimeout(() => resolve(exit), LAST_OUTPUT_MS);
    child.on("close", () => {
      clearTimeout(timer);
      resolve(exit);
    });
  });
  return promise;
}

function reasonOf(error: NodeJS.ErrnoException, { spawnfile }: ChildProcess): string {
  if (error.code === "ENOENT") return `command not found: ${spawnfile}`;
  if (error.code === "EACCES") return `not executable: ${spawnfile}`;
  return error.message;
}
