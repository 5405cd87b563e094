import { type ChildProcess, spawn } from "node:child_process";
import { CappedOutput, type Output } from "./capped-output.ts";
import type { CommandLine } from "./command-line.ts";
import type { EscapedProcesses } from "./escaped-processes.ts";
import { endGroup, groupAlive, signalGroup } from "./process-group.ts";

/** How a child ended. Only `exited` has an exit code of its own. */
export type Ending =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "signalled"; readonly signal: string }
  | { readonly kind: "timeout"; readonly timeoutMs: number }
  | { readonly kind: "unstartable"; readonly code: number; readonly reason: string }
  | { readonly kind: "ended"; readonly reason: string };

/** What a child did: how it ended and what it printed. */
export interface ChildRun {
  readonly ending: Ending;
  readonly stdout: Output;
  readonly stderr: Output;
}

/** What one child process is given. */
export interface ChildRequest {
  readonly command: CommandLine;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly input: Uint8Array;
  readonly timeoutMs: number;
  readonly limits: Limits;
  readonly signal: AbortSignal;
  /** Told when the group exists and when it is gone, so that it can be ended with us. */
  readonly started?: (pid: number) => void;
  readonly gone?: (pid: number) => void;
}

/** Sizes and patience of process handling. */
export interface Limits {
  /** Kept of each output stream; the rest is read and dropped. */
  readonly outputBytes: number;
  /** Between TERM and KILL. */
  readonly graceMs: number;
  /** How long pipes may stay open after the child itself has ended. */
  readonly pipeMs: number;
}

export const defaultLimits: Limits = { outputBytes: 1024 * 1024, graceMs: 1000, pipeMs: 150 };

/**
 * Runs one child in a process group of its own and leaves nothing of the group behind. A child that has to be stopped
 * takes along what it started in other groups and sessions; one that ends by itself may leave such processes on purpose.
 */
export function runChild(request: ChildRequest): Promise<ChildRun> {
  const { command, limits } = request;
  const stdout = new CappedOutput(limits.outputBytes);
  const stderr = new CappedOutput(limits.outputBytes);
  const result = (ending: Ending): ChildRun => ({ ending, stdout: stdout.take(), stderr: stderr.take() });
  if (request.signal.aborted) return Promise.resolve(result({ kind: "ended", reason: String(request.signal.reason) }));

  let child: ChildProcess;
  try {
    const [file, args] = command.kind === "shell" ? ["/bin/sh", ["-c", command.line]] : [command.file, command.args];
    child = spawn(file, args, { cwd: request.cwd, env: request.env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  } catch (error) {
    return Promise.resolve(result(unstartable(command, error as NodeJS.ErrnoException)));
  }

  return new Promise((resolve) => {
    const pid = child.pid;
    let cause: Ending | undefined;
    let settled = false;
    let escaped: EscapedProcesses | undefined;
    const stop = async (why: Ending): Promise<void> => {
      if (cause !== undefined || pid === undefined) return;
      cause = why;
      // Loaded only now: children that end by themselves never need it.
      const { EscapedProcesses } = await import("./escaped-processes.ts");
      if (settled) return;
      escaped = new EscapedProcesses(pid);
      signalGroup(pid, "SIGTERM");
      escaped.signal("SIGTERM");
      killer = setTimeout(() => {
        signalGroup(pid, "SIGKILL");
        escaped?.signal("SIGKILL");
      }, limits.graceMs);
    };
    let killer: NodeJS.Timeout | undefined;
    let pipes: NodeJS.Timeout | undefined;
    const onAbort = (): void => void stop({ kind: "ended", reason: String(request.signal.reason) });
    const timer = setTimeout(() => void stop({ kind: "timeout", timeoutMs: request.timeoutMs }), request.timeoutMs);
    request.signal.addEventListener("abort", onAbort, { once: true });

    const settle = async (ending: Ending): Promise<void> => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      clearTimeout(killer);
      clearTimeout(pipes);
      request.signal.removeEventListener("abort", onAbort);
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
      // A child that was stopped has had its TERM; its children get the same grace as everyone.
      if (pid !== undefined && groupAlive(pid)) await endGroup(pid, limits.graceMs);
      await escaped?.end(limits.graceMs);
      if (pid !== undefined) request.gone?.(pid);
      resolve(result(ending));
    };

    if (pid !== undefined) request.started?.(pid);
    child.on("error", (error) => {
      if (pid === undefined) void settle(unstartable(command, error));
    });
    child.stdout?.on("data", (bytes: Buffer) => stdout.add(bytes));
    child.stderr?.on("data", (bytes: Buffer) => stderr.add(bytes));
    // A child that never reads its input closes the pipe under us; that is its right.
    child.stdin?.on("error", () => {});
    child.stdin?.end(request.input);

    let ended: Ending | undefined;
    child.on("exit", (code, signal) => {
      ended = cause ?? (code === null ? { kind: "signalled", signal: signal ?? "unknown" } : { kind: "exited", code });
      const ending = ended;
      // Children of the child may hold its pipes open for ever.
      pipes = setTimeout(() => void settle(ending), limits.pipeMs);
    });
    child.on("close", () => {
      if (ended !== undefined) void settle(ended);
    });
  });
}

/** The codes a shell would give: 127 for a command that is missing, 126 for one that cannot be executed. */
function unstartable(command: CommandLine, error: NodeJS.ErrnoException): Ending {
  const file = command.kind === "program" ? command.file : "/bin/sh";
  if (error.code === "ENOENT") return { kind: "unstartable", code: 127, reason: `${file}: not found` };
  if (error.code === "EACCES") return { kind: "unstartable", code: 126, reason: `${file}: not executable` };
  return { kind: "unstartable", code: 126, reason: `${file}: ${error.message}` };
}
