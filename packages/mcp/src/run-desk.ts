import { existsSync } from "node:fs";
import { join } from "node:path";
import { LiveGroups, type Output, runChild } from "@coppice/engine/child-process";
import { reserveDirectory } from "@coppice/engine/session";

/** What a `coppice …` process printed and how it ended. */
export interface EndedCommand {
  /** The exit code; null when it was ended from outside. */
  readonly code: number | null;
  /** The one JSON document it printed, if it got that far. */
  readonly document: unknown;
  /** The last line it said to people: why it was refused, or how it ended. */
  readonly lastLine: string;
}

/** A run that a process of this server is working on. */
export interface LiveRun {
  readonly id: string;
  readonly directory: string;
  readonly ended: Promise<EndedCommand>;
  /** Interrupts the run in order, so that it can be resumed; a process that does not obey is ended with all it started. */
  readonly stop: () => void;
  readonly isStopping: () => boolean;
}

/** A `coppice …` line: the command's words, its options, what it is about, and its standard input. */
export interface Command {
  readonly words: readonly string[];
  readonly options?: readonly string[];
  readonly operands?: readonly string[];
  readonly input?: string;
}

/** How `coppice` is started: a program and its first arguments. */
export type Starter = readonly [program: string, ...args: string[]];

/** Documents are small, but a digest of a thousand files is not. */
const MOST_OUTPUT_BYTES = 64 * 1024 * 1024;
/** For an interrupted run to write down what it knows. */
const GRACE_MS = 5000;

/**
 * Starts `coppice …` processes and knows those that still run. Every run has a process of its own: what it prints cannot
 * get into the protocol, and ending it ends all of it. None outlives this one, even if this one is killed.
 */
export class RunDesk {
  readonly runs: string;
  readonly #starter: Starter;
  readonly #groups = new LiveGroups();
  readonly #live = new Map<string, LiveRun>();
  readonly #commands = new Set<AbortController>();
  #closed = false;

  constructor(starter: Starter, runs: string) {
    this.#starter = starter;
    this.runs = runs;
  }

  /** Starts a command that makes a run. The run's number is known from the first moment. */
  start(command: (id: string) => Command): LiveRun {
    const { id, directory, giveBack } = reserveDirectory(this.runs, undefined);
    return this.#follow(id, directory, command(id), [`--id=${id}`], giveBack);
  }

  /** Starts a command that goes on with a run. */
  resume(id: string, directory: string): LiveRun {
    return this.#follow(id, directory, { words: ["resume"], operands: [id] }, [], () => {});
  }

  /** The run that is worked on under this id; one that is being stopped is waited for, and is none. */
  async live(id: string): Promise<LiveRun | undefined> {
    const run = this.#live.get(id);
    if (run?.isStopping() !== true) return run;
    await run.ended;
    return undefined;
  }

  /** Runs a command that makes no run, to its end. */
  async answer(command: Command, signal: AbortSignal): Promise<EndedCommand> {
    const control = this.#control();
    const abort = (): void => control.abort("cancelled");
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    try {
      return await this.#run(command, [], control, () => {});
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  /** Interrupts every run and waits until its process has ended. */
  async close(): Promise<void> {
    this.#closed = true;
    const live = [...this.#live.values()];
    for (const run of live) run.stop();
    await Promise.all(live.map(({ ended }) => ended));
    for (const control of this.#commands) control.abort("the server ends");
    this.#groups.close();
  }

  #follow(id: string, directory: string, command: Command, more: readonly string[], giveBack: () => void): LiveRun {
    const control = this.#control();
    let pid: number | undefined;
    let late: NodeJS.Timeout | undefined;
    const ended = this.#run(command, [...more, "--quiet"], control, (started) => {
      pid = started;
    }).finally(() => {
      clearTimeout(late);
      this.#live.delete(id);
      if (!existsSync(join(directory, "run.json"))) giveBack();
    });
    const stop = (): void => {
      if (late !== undefined) return;
      late = setTimeout(() => control.abort("stopped"), GRACE_MS);
      if (pid === undefined) control.abort("stopped");
      else process.kill(pid, "SIGTERM");
    };
    const run = { id, directory, ended, stop, isStopping: () => late !== undefined };
    this.#live.set(id, run);
    return run;
  }

  #control(): AbortController {
    const control = new AbortController();
    if (this.#closed) control.abort("the server ends");
    return control;
  }

  async #run(
    { words, options = [], operands = [], input = "" }: Command,
    more: readonly string[],
    control: AbortController,
    started: (pid: number) => void,
  ): Promise<EndedCommand> {
    const [file, ...first] = this.#starter;
    const own = [...options, ...more, `--run-dir=${this.runs}`, "--json"];
    this.#commands.add(control);
    try {
      const { exitCode, ending, stdout, stderr } = await runChild({
        command: { kind: "program", file, args: [...first, ...words, ...own, "--", ...operands] },
        cwd: process.cwd(),
        env: process.env,
        input: Buffer.from(input),
        signal: control.signal,
        groups: this.#groups,
        limits: { outputBytes: MOST_OUTPUT_BYTES, graceMs: GRACE_MS },
        started,
      });
      const lines = textOf(stderr.bytes).trim().split("\n");
      const said = (lines.at(-1) ?? "").replace(/^coppice: /, "");
      const lastLine = ending.kind === "unstartable" ? ending.reason : said;
      return { code: exitCode, document: documentIn(stdout), lastLine };
    } finally {
      this.#commands.delete(control);
    }
  }
}

function documentIn({ bytes }: Output): unknown {
  try {
    return JSON.parse(textOf(bytes)) as unknown;
  } catch {
    return undefined;
  }
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("utf8");
}
