import type { PoolJob } from "../contract/pool.ts";
import type { LastStart } from "./current-task.ts";
import type { FromWorker, ToWorker } from "./worker-message.ts";

/** How a worker ended, as far as its pool could see. */
export interface WorkerEnd {
  /** For people: `exit code 3`, `SIGKILL`, `out of memory`. */
  readonly reason: string;
  readonly exitCode?: number;
  readonly signal?: string;
  /** Stack of the uncaught error, if there was one. */
  readonly stack?: string;
}

/** What a worker tells the pool that started it. */
export interface LinkEvents {
  readonly message: (message: FromWorker) => void;
  /** Text the worker or something it started wrote to its output. */
  readonly output: (text: string) => void;
  /** Once, after the last message, when nothing of the worker runs any more. */
  readonly ended: (end: WorkerEnd) => void;
}

/** One running worker, wherever it runs. */
export interface WorkerLink {
  readonly pid: number;
  readonly pidStart: string;
  /** Name of the machine it runs on, if that may be another than this. */
  readonly host?: string;
  /** It runs on the thread of the pool itself. */
  readonly sameThread?: true;
  post(message: ToWorker): void;
  /** Readable even when the worker is stuck in a loop or has died. */
  lastStart(): LastStart;
  /** Ends the worker and whatever it started, at once; `ended` follows. */
  kill(): void;
}

/** Starts a worker of a pool; `mark` is for the environment of everything it starts. */
export type StartWorker = (job: PoolJob, mark: string, events: LinkEvents, settings: CrewSettings) => WorkerLink;

/** What a pool was told of its workers, every number checked, every default filled in. */
export interface CrewSettings {
  readonly workers: number;
  readonly chunk: number | "auto";
  readonly maxInFlight: number;
  readonly graceMs: number;
  readonly memoryMb: number | undefined;
  /** Whether a worker may be given a task before it has finished the one before. */
  readonly ahead: boolean;
}
