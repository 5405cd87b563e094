import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { runChild } from "@coppice/engine/child-process";

/** Git ended with an error; the message is one line with what it said. */
export class GitError extends Error {
  override readonly name = "GitError";
  readonly exitCode: number | undefined;
  readonly stderr: string;
  constructor(args: readonly string[], exitCode: number | undefined, stderr: string) {
    const said = stderr.trim().split("\n").filter(Boolean).join("; ");
    super(`git ${args.join(" ")}: ${said || `exit code ${exitCode}`}`);
    this.exitCode = exitCode;
    this.stderr = stderr;
  }
}

/** What a git command may be given besides its arguments. */
export interface GitOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/**
 * Nothing of the user's may run when we work (hooks, file monitors, maintenance), refs that others hold are waited for, and
 * what git writes is on the disk before we say so.
 */
const QUIET = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.fsync=all",
  "gc.auto=0",
  "maintenance.auto=false",
  "core.filesRefLockTimeout=250",
  "core.packedRefsTimeout=250",
].flatMap((setting) => ["-c", setting]);

/** Variables with which a calling git (a hook, say) would point us at its own repository, index or objects. */
const STEERING =
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|PREFIX|NAMESPACE|CEILING_DIRECTORIES|QUARANTINE_PATH|CONFIG_PARAMETERS|CONFIG_COUNT)$/;

/** This process's environment without what would lead git to a caller's repository. */
export function unsteeredEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !STEERING.test(name)));
}

/** Keeps git from looking for a repository above a worktree whose own `.git` is gone: there is the user's. */
export function ceilingOf(worktree: string): Readonly<Record<string, string>> {
  return { GIT_CEILING_DIRECTORIES: dirname(worktree) };
}

/** What our own git commands are given; messages in English, so that they can be told apart. */
export function gitEnvironment(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  return { ...unsteeredEnvironment(), LC_ALL: "C", GIT_TERMINAL_PROMPT: "0", GIT_OPTIONAL_LOCKS: "0", ...extra };
}

/** Runs git in a worktree of ours, and in no repository above it. */
export function runGitIn(worktree: string, args: readonly string[], options: GitOptions = {}): Promise<string> {
  return runGit(worktree, args, { ...options, env: { ...options.env, ...ceilingOf(worktree) } });
}

/** What passes by itself: the machine had no memory, no process or no file to spare just then. */
const PASSING =
  /Cannot allocate memory|[Oo]ut of memory|Resource temporarily unavailable|Too many open files|spawn \S+ (EAGAIN|ENOMEM|EMFILE|ENFILE)/;

/** Runs git in a directory and returns what it printed, byte for byte as UTF-8; tries again what may pass by itself. */
export function runGit(directory: string, args: readonly string[], options: GitOptions = {}): Promise<string> {
  const passes = (error: unknown) => error instanceof GitError && PASSING.test(error.stderr);
  return withPatience(gitPatience, () => runGitOnce(directory, args, options), passes);
}

async function runGitOnce(directory: string, args: readonly string[], options: GitOptions): Promise<string> {
  const { input, signal = NEVER } = options;
  const { ending, stdout, stderr } = await runChild({
    command: { kind: "program", file: "git", args: [...QUIET, ...args] },
    cwd: directory,
    env: gitEnvironment(options.env),
    ...(input !== undefined && { input: Buffer.from(input) }),
    limits: { outputBytes: Number.POSITIVE_INFINITY },
    signal,
  });
  signal.throwIfAborted();
  if (ending.kind === "exited" && ending.code === 0) return Buffer.from(stdout.bytes).toString("utf8");
  if (ending.kind === "unstartable") {
    const missing = existsSync(directory) ? "git was not found" : `the folder ${directory} is gone`;
    throw new GitError(args, undefined, ending.code === 127 ? missing : ending.reason);
  }
  const said = Buffer.from(stderr.bytes).toString("utf8");
  const how = ending.kind === "signalled" ? `ended by ${ending.signal}` : "";
  throw new GitError(args, ending.kind === "exited" ? ending.code : undefined, said || how);
}

const NEVER = new AbortController().signal;

/** A ref that is there, is elsewhere, is missing or stands where a folder must be: waiting does not change it. */
const FOR_GOOD = /reference already exists|exists; cannot create|but expected|unable to resolve reference/;

/** Whether git failed because somebody else held one of its lock files, or had a worktree half made, just then. */
export function isLockError(error: unknown): boolean {
  if (!(error instanceof GitError) || FOR_GOOD.test(error.stderr)) return false;
  return /\.lock'?: File exists|could not lock|cannot lock ref|unable to (create|lock)[^\n]*\.lock|Another git process|(failed to read|Invalid path) [^\n]*worktrees\//i.test(
    error.stderr,
  );
}

/** How often something is tried and how long is waited in between: the first pause, doubled up to the longest. */
export interface Patience {
  readonly tries: number;
  readonly firstMs: number;
  readonly longestMs: number;
}

/** What a repository held by another git needs: a few seconds in all. */
export const gitPatience: Patience = { tries: 7, firstMs: 20, longestMs: 1000 };

/** What a folder needs whose last process has only just ended. */
export const removalPatience: Patience = { tries: 6, firstMs: 250, longestMs: 5000 };

/** Tries again while `again` says that the error may pass; the last error is the caller's. */
export async function withPatience<Value>(
  patience: Patience,
  attempt: () => Promise<Value> | Value,
  again: (error: unknown) => boolean,
): Promise<Value> {
  for (let tried = 1, pauseMs = patience.firstMs; ; tried++) {
    try {
      return await attempt();
    } catch (error) {
      if (tried >= patience.tries || !again(error)) throw error;
      await sleep(pauseMs);
      pauseMs = Math.min(patience.longestMs, pauseMs * 2);
    }
  }
}
