import { readFileSync } from "node:fs";
import { inheritedMark, type Output, processStart, RUN_MARK, runChild } from "@coppice/engine/child-process";
import type { Belongings } from "../belongings/belongings.ts";
import { ceilingOf, unsteeredEnvironment } from "../git/run-git.ts";
import type { FilledCommand } from "./placeholders.ts";
import { StepLog } from "./step-log.ts";

/** How much of its standard output a step may mean for us: a verdict, a score, what it spent. */
const KEPT_BYTES = 1024 * 1024;
/** How long a pipe may stay open after the step itself has ended. */
const LAST_OUTPUT_MS = 250;
/** Lines of standard error that are said where a failure is announced. */
const ERROR_LINES = 5;

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
  readonly stderr: string;
  readonly tail: readonly string[];
  /** The last lines of standard error alone. */
  readonly errorTail: readonly string[];
  /** It was killed, and the kernel ended processes for want of memory meanwhile. */
  readonly outOfMemory: boolean;
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
  const killsBefore = memoryKills();
  const noLog = new AbortController();
  let pid: number | undefined;
  let pidStart = "";
  const run = await runChild({
    command: { kind: "program", ...command },
    cwd: request.directory,
    env: {
      ...unsteeredEnvironment(),
      ...ceilingOf(request.directory),
      ...request.environment,
      [RUN_MARK]: inheritedMark(mark),
    },
    limits: { outputBytes: KEPT_BYTES, pipeMs: LAST_OUTPUT_MS },
    signal: AbortSignal.any([request.signal, noLog.signal]),
    mark,
    started: (number) => {
      pid = number;
      pidStart = processStart(number) ?? "";
      record(number, pidStart);
    },
    hear: (channel, bytes) => {
      log.add(channel, bytes);
      if (log.error !== undefined) noLog.abort(log.error);
    },
  });
  belongings.release(claimed);
  const ms = performance.now() - began;
  const { ending, exitCode, signal, leftBehind } = run;
  const wasEnded = ending.kind === "ended";
  const unstartable = ending.kind === "unstartable" ? reasonOf(ending, command) : undefined;
  log.close({ exitCode, signal, ms: Math.round(ms), wasEnded, leftBehind, unstartable });
  if (log.error !== undefined) throw log.error;
  const text = ({ bytes }: Output) => Buffer.from(bytes).toString("utf8");
  return {
    exitCode,
    signal,
    wasEnded,
    unstartable,
    stdout: text(run.stdout),
    stderr: text(run.stderr),
    tail: log.tail(),
    errorTail: log.tail(ERROR_LINES, "stderr"),
    outOfMemory: (signal === "SIGKILL" || exitCode === 137) && !wasEnded && memoryKills() > killsBefore,
    leftBehind,
    pid,
    pidStart,
    startedAt,
    ms,
  };
}

/** How many processes the kernel has ended since it was started, because there was no memory left; Linux counts them. */
function memoryKills(): number {
  try {
    return Number(/^oom_kill (\d+)$/m.exec(readFileSync("/proc/vmstat", "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

function reasonOf(
  { code, reason }: { readonly code: number; readonly reason: string },
  { file }: FilledCommand,
): string {
  return code === 127 ? `command not found: ${file}` : reason.replace(/^(.*): not executable$/s, "not executable: $1");
}
