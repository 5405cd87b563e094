import { type ChildProcess, spawn } from "node:child_process";
import type { Writable } from "node:stream";
import type { CommandLine } from "./command-line.ts";
import type { LiveGroups } from "./live-groups.ts";
import { CappedOutput, lastOutput, type Output, streamsEnd } from "./output.ts";
import { afterLooking } from "./patient-timer.ts";
import { groupAlive } from "./send-signal.ts";

/** How a child ended. Only `exited` has an exit code of its own. */
export type Ending =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "signalled"; readonly signal: string }
  | { readonly kind: "timeout"; readonly timeoutMs: number }
  | { readonly kind: "unstartable"; readonly code: number; readonly reason: string; readonly tooLong?: boolean }
  | { readonly kind: "ended"; readonly reason: string };

/** What a child did: how it ended and what it printed. */
export interface ChildRun {
  readonly ending: Ending;
  readonly stdout: Output;
  readonly stderr: Output;
}

/** A child that is gone with all that belonged to it. */
export interface EndedChild extends ChildRun {
  /** How the process itself ended, also when it was told to; both null when it never lived. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Processes with its mark that it left running when it ended by itself; they have been ended. */
  readonly leftBehind: number;
}

/** What one child process is given. */
export interface ChildRequest {
  readonly command: CommandLine;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Its standard input, or `open` for a pipe that `started` is given; without either there is nothing to read. */
  readonly input?: Uint8Array | "open";
  readonly timeoutMs?: number;
  readonly limits?: Partial<Limits>;
  /**
   * Reads until its output ends, whoever holds it: what the child leaves behind may write, and live, for as long as the
   * time limit and the signal let it. Without this, output that comes later than `pipeMs` after the child's end is lost.
   */
  readonly untilOutputEnds?: boolean;
  /** Ends it with everything it started. */
  readonly signal: AbortSignal;
  /**
   * The mark that its environment carries (`RUN_MARK`): nothing with that mark outlives the child. Without one, a child
   * that ends by itself may leave processes in other groups and sessions on purpose.
   */
  readonly mark?: string;
  /** Where its group is on record while it lives, so that it ends with us. */
  readonly groups?: LiveGroups;
  readonly started?: (pid: number, input: Writable | null) => void;
  /** Hears all output as it comes, also what is not kept. */
  readonly hear?: (channel: "stdout" | "stderr", bytes: Buffer) => void;
}

/** Sizes and patience of process handling. */
export interface Limits {
  /** Kept of each output stream; the rest is read and dropped. */
  readonly outputBytes: number;
  /** Between TERM and KILL. */
  readonly graceMs: number;
  /** How long pipes may stay open after the child itself has ended, or was made to. */
  readonly pipeMs: number;
}

const defaultLimits: Limits = { outputBytes: 1024 * 1024, graceMs: 1000, pipeMs: 150 };

/**
 * Runs one child in a process group of its own and leaves nothing of the group behind. A child that has to be stopped
 * takes along what it started in other groups and sessions.
 */
export async function runChild(request: ChildRequest): Promise<EndedChild> {
  const { command, signal, mark } = request;
  const limits = { ...defaultLimits, ...request.limits };
  const output = { stdout: new CappedOutput(limits.outputBytes), stderr: new CappedOutput(limits.outputBytes) };
  const result = (ending: Ending, exit: Exit = NEVER_LIVED, leftBehind = 0): EndedChild => ({
    ending,
    stdout: output.stdout.take(),
    stderr: output.stderr.take(),
    ...exit,
    leftBehind,
  });
  if (signal.aborted) return result({ kind: "ended", reason: String(signal.reason) });
  let child: ChildProcess;
  try {
    child = start(request);
  } catch (error) {
    return result(unstartable(command, error as NodeJS.ErrnoException));
  }
  const { pid } = child;
  const exited = exitOf(child);
  if (pid === undefined) return result(unstartable(command, (await exited) as NodeJS.ErrnoException));

  let stopped: { readonly why: Ending; readonly end: Promise<void> } | undefined;
  const toldToStop = Promise.withResolvers<void>();
  const stop = (why: Ending): void => {
    stopped ??= { why, end: endTree(pid, mark, limits.graceMs) };
    toldToStop.resolve();
  };
  const onAbort = (): void => stop({ kind: "ended", reason: String(signal.reason) });
  signal.addEventListener("abort", onAbort, { once: true });
  const { timeoutMs } = request;
  const callOff =
    timeoutMs === undefined ? undefined : afterLooking(timeoutMs, () => stop({ kind: "timeout", timeoutMs }));
  request.groups?.add(pid);
  request.started?.(pid, child.stdin);
  const streams = (["stdout", "stderr"] as const).flatMap((channel) => {
    const stream = child[channel];
    stream?.on("data", (bytes: Buffer) => {
      output[channel].add(bytes);
      request.hear?.(channel, bytes);
    });
    return stream ?? [];
  });

  // Cast: a process that has a number was started, and what is started exits.
  const exit = (await exited) as Exit;
  if (request.untilOutputEnds === true) await Promise.race([streamsEnd(streams), toldToStop.promise]);
  callOff?.();
  signal.removeEventListener("abort", onAbort);
  await stopped?.end;
  // Children of the child may hold its pipes open for ever.
  await lastOutput(streams, limits.pipeMs);
  for (const stream of child.stdio) stream?.destroy();
  const leftBehind = stopped === undefined ? await endRemains(pid, mark, limits.graceMs) : 0;
  request.groups?.delete(pid);
  return result(stopped?.why ?? endingOf(exit), exit, leftBehind);
}

interface Exit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

const NEVER_LIVED: Exit = { exitCode: null, signal: null };

function start({ command, cwd, env, input }: ChildRequest): ChildProcess {
  const [file, args] = command.kind === "shell" ? ["/bin/sh", ["-c", command.line]] : [command.file, command.args];
  const stdin = input === undefined ? "ignore" : "pipe";
  const child = spawn(file, args, { cwd, env, detached: true, stdio: [stdin, "pipe", "pipe"] });
  // A child that never reads its input closes the pipe under us; that is its right.
  child.stdin?.on("error", () => {});
  if (input !== "open") child.stdin?.end(input);
  return child;
}

/** How the process itself ended, or why it could not be started. */
function exitOf(child: ChildProcess): Promise<Exit | Error> {
  return new Promise((resolve) => {
    child.on("error", (error) => {
      if (child.pid === undefined) resolve(error);
    });
    child.on("exit", (exitCode, signal) => resolve({ exitCode, signal }));
  });
}

// What ends trees is loaded only when it is needed: most children end by themselves and leave nothing.
async function endTree(pid: number, mark: string | undefined, graceMs: number): Promise<void> {
  const { ProcessTree } = await import("./process-tree.ts");
  await new ProcessTree(pid, mark).end(graceMs);
}

/** Ends what a child that ended by itself left behind: its group, and what carries its mark; says how many do. */
async function endRemains(pid: number, mark: string | undefined, graceMs: number): Promise<number> {
  const group = groupAlive(pid);
  if (mark === undefined && !group) return 0;
  const { ProcessTree } = await import("./process-tree.ts");
  const tree = new ProcessTree(pid, mark);
  const left = tree.marked().length;
  if (group || left > 0) await tree.end(graceMs);
  return left;
}

function endingOf({ exitCode, signal }: Exit): Ending {
  return exitCode === null ? { kind: "signalled", signal: signal ?? "unknown" } : { kind: "exited", code: exitCode };
}

/** The codes a shell would give: 127 for a command that is missing, 126 for one that cannot be executed. */
function unstartable(command: CommandLine, error: NodeJS.ErrnoException): Ending {
  const file = command.kind === "program" ? command.file : "/bin/sh";
  if (error.code === "ENOENT") return { kind: "unstartable", code: 127, reason: `${file}: not found` };
  if (error.code === "EACCES") return { kind: "unstartable", code: 126, reason: `${file}: not executable` };
  if (error.code === "E2BIG") {
    return { kind: "unstartable", code: 126, reason: `${file}: too long for an argument`, tooLong: true };
  }
  return { kind: "unstartable", code: 126, reason: `${file}: ${error.message}` };
}
