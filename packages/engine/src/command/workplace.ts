import { isMainThread } from "node:worker_threads";
import { LiveGroups } from "../child-process/live-groups.ts";
import { endMarkedProcesses, inheritedMark, RUN_MARK } from "../child-process/marked-processes.ts";
import type { ChildRequest } from "../child-process/run-child.ts";
import type { Task } from "../contract/evaluator.ts";
import type { CommandContext } from "./command-evaluator.ts";

/** Standard error of one task that goes to the worker's log. */
const LOGGED_BYTES = 256 * 1024;

/** For all workers of this process; a pool of threads watches over what its threads start. */
const groups = isMainThread ? new LiveGroups() : undefined;

/** Where a worker's programs run, and how they are found when they have to end. */
export class Workplace {
  readonly settings: CommandContext;
  readonly environment: NodeJS.ProcessEnv;
  /** Between asking a program to end and ending it: shorter than a pool waits for a task that is over its time. */
  readonly graceMs = 100;
  readonly #cwd: string;
  readonly #mark = crypto.randomUUID();

  constructor(settings: CommandContext, cwd: string) {
    this.settings = settings;
    this.#cwd = cwd;
    const context = settings.context === null ? {} : { COPPICE_CONTEXT: settings.context };
    this.environment = { ...process.env, ...context, [RUN_MARK]: inheritedMark(this.#mark) };
  }

  request(): Pick<ChildRequest, "command" | "cwd" | "groups"> {
    const [file = "", ...args] = this.settings.command;
    return { command: { kind: "program", file, args }, cwd: this.#cwd, ...(groups === undefined ? {} : { groups }) };
  }

  /** Writes a task's standard error into the log of its worker, up to a limit. */
  logFor(task: Pick<Task, "log">): (bytes: Buffer) => void {
    let left = LOGGED_BYTES;
    return (bytes) => {
      if (left <= 0) return;
      left -= bytes.length;
      task.log(bytes.toString("utf8"));
      if (left <= 0) task.log("(more on its standard error is not kept)");
    };
  }

  /** Ends whatever programs have left behind. */
  close(): void {
    endMarkedProcesses(this.#mark);
  }
}
