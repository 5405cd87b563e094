import { type ChildProcess, spawn } from "node:child_process";
import { shellWord } from "@coppice/engine/child-process";
import { UsageError } from "@coppice/engine/usage-error";
import type { Job } from "../wire.ts";

/** Commands that may run at once: each is a run with workers of its own. */
const MOST_RUNNING = 4;
const MOST_KEPT = 50;
const MOST_OUTPUT = 16_384;

/** How the command line is started, and how people type it. */
export interface CommandLine {
  readonly program: string;
  readonly args: readonly string[];
  readonly name: string;
}

/** Commands that were started from the page. They end with the studio, in order, as runs do. */
export class Jobs {
  readonly #line: CommandLine;
  readonly #jobs: { job: Job; readonly child: ChildProcess }[] = [];
  #last = 0;

  constructor(line: CommandLine) {
    this.#line = line;
  }

  list(): readonly Job[] {
    return this.#jobs.map(({ job }) => job);
  }

  /** Without a shell; in a folder, or here. */
  start(words: readonly string[], folder?: string): Job {
    if (this.#jobs.filter(({ job }) => job.exitCode === undefined).length >= MOST_RUNNING) {
      throw new UsageError(`${MOST_RUNNING} commands are running already: wait until one has ended`);
    }
    const { program, args, name } = this.#line;
    const child = spawn(program, [...args, ...words], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, NO_COLOR: "1", COPPICE_QUIET: "true" },
      ...(folder === undefined ? {} : { cwd: folder }),
    });
    this.#last++;
    const command = `${name} ${words.map(shellWord).join(" ")}`;
    const kept: { job: Job; readonly child: ChildProcess } = {
      job: { id: this.#last, command, startedAt: Date.now(), output: "" },
      child,
    };
    this.#jobs.push(kept);
    if (this.#jobs.length > MOST_KEPT) this.#jobs.splice(0, 1);
    const prints = (text: string): void => {
      kept.job = { ...kept.job, output: `${kept.job.output}${text}`.slice(-MOST_OUTPUT) };
    };
    child.stdout?.setEncoding("utf8").on("data", prints);
    child.stderr?.setEncoding("utf8").on("data", prints);
    child.on("error", (error) => prints(`${error.message}\n`));
    child.on("close", (code) => {
      kept.job = { ...kept.job, exitCode: code ?? 130 };
    });
    return kept.job;
  }

  /** Interrupts what still goes on. */
  close(): void {
    for (const { job, child } of this.#jobs) if (job.exitCode === undefined) child.kill("SIGINT");
  }
}
