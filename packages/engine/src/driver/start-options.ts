import type { EvaluationCache } from "../cache/evaluation-cache.ts";
import type { Resources } from "../contract/evaluator.ts";
import type { PoolFactory } from "../contract/pool.ts";
import type { Search } from "../contract/search.ts";
import type { TaskPolicy } from "../contract/task-policy.ts";
import type { Durability } from "../journal/writer.ts";
import { UsageError } from "../usage-error.ts";

/** What a run is: a search, an evaluator, where to evaluate, and what to do about failures. */
export interface StartOptions<Candidate, Value, Result> {
  readonly search: Search<Candidate, Value, Result>;
  /** Module whose default export is the evaluator; loaded in every worker. `evaluatorAt` ties its types to the search's. */
  readonly evaluator: URL | string;
  /** Files that belong to its version though no module loads them: a script that it runs, a table that it reads. */
  readonly evaluatorFiles?: readonly string[];
  /** Folders that evaluations work in or read from; a worker on another machine without them does not take part. */
  readonly evaluatorFolders?: readonly string[];
  /** Small and serialisable: paths, options. Given to the evaluator's `setup`. */
  readonly context?: unknown;
  /** Large read-only arrays, shared between threads. */
  readonly shared?: Readonly<Record<string, SharedArrayBuffer>>;
  /** What each worker may use of its machine. Never changes the answer: it is neither recorded nor part of a cache's keys. */
  readonly resources?: Resources;
  /** Default: threads, one per core. Never changes the answer. */
  readonly pool?: PoolFactory;
  /** How many asks may be unanswered. Shapes the answer: part of the configuration, never derived from the machine. Default 1024. */
  readonly lookahead?: number;
  /**
   * Hand nothing out before the search waits, so that what it asks at once is in the journal before the first of it is
   * started. By default the first are handed out while it is still being asked. Never changes the answer.
   */
  readonly wholeBatches?: boolean;
  /** Default 0. */
  readonly seed?: number;
  /** Where the run is written down. Without it nothing is kept. */
  readonly journal?: JournalOptions;
  /** Attempts after the first one that failed. Default 0. */
  readonly retries?: number;
  /** Wait before the first retry; doubles each time. Default 100. */
  readonly backoffMs?: number;
  /** Limit of one attempt; 0 for none, the default. */
  readonly timeoutMs?: number;
  readonly setupTimeoutMs?: number;
  /** Ends the search after this time with what it knows (D4); 0 for none, the default. */
  readonly maxTimeMs?: number;
  /** `continue` tells the search of a failed task, `stop` ends the run at the first one. Default `continue`. */
  readonly onFailure?: "continue" | "stop";
  /** What is different for the task with this key: retries, limits, how many of its group at once. */
  readonly policy?: (key: string) => TaskPolicy;
  /**
   * Asked in the coordinator before a task is handed to a worker. A text stops the run there: what is running may
   * finish for `drainMs`, and the run can be resumed. For budgets that are not part of the search (time, money).
   */
  readonly admit?: (key: string) => string | undefined;
  /** Called once the run is open (its lock held, leftovers of earlier sessions ended), before anything is dispatched. */
  readonly prepare?: () => Promise<void>;
  /** How long running work may finish after a `stop`. Default 5000. */
  readonly drainMs?: number;
  /** Values longer than this are refused. Default 16 MiB. */
  readonly maxValueBytes?: number;
  /** Collect named timers (`timed`) in the workers. */
  readonly timers?: boolean;
  /** What makes evaluations differ each time (`a language model answered`): the run is then reproducible from its journal only. */
  readonly impure?: string;
  /** Results of earlier runs with the same evaluator, context and seed. Off by default; never changes the answer. */
  readonly cache?: EvaluationCache;
}

/** Where and how a run is written down. */
export interface JournalOptions {
  /** The run's own directory. */
  readonly directory: string;
  /** Continue the run that is there; otherwise the directory must not hold one. */
  readonly resume?: boolean;
  /** Go on also when the evaluator is different code now; the run is then reproducible from its journal only. */
  readonly acceptChanges?: boolean;
  /** How long the lock of an owner on another machine, or in another container, holds without a heartbeat; there is one every two seconds. */
  readonly lockStaleMs?: number;
  /** Hears one line when such an owner's heartbeat has to be watched before the run can be resumed. */
  readonly onLockWait?: ((message: string) => void) | undefined;
  /** `strict` syncs before every tell. Default `grouped`. */
  readonly durable?: Durability;
  /** Name and options of the tool, so that it can rebuild the search. */
  readonly tool?: string;
  readonly options?: unknown;
  /** Digest of input files: a run is not resumed on other inputs. */
  readonly inputs?: string;
}

const DEFAULT_LOOKAHEAD = 1024;
const DEFAULT_MAX_VALUE_BYTES = 16 * 1024 * 1024;

/** Every number checked, every default filled in. */
export function checkSettings(options: StartOptions<never, never, unknown> | StartOptions<unknown, unknown, unknown>) {
  const onFailure = options.onFailure ?? "continue";
  if (onFailure !== "continue" && onFailure !== "stop") {
    throw new UsageError(`onFailure must be "continue" or "stop", not ${JSON.stringify(onFailure)}`);
  }
  return {
    seed: wholeNumber(options.seed ?? 0, {
      name: "seed",
      least: Number.MIN_SAFE_INTEGER,
      most: Number.MAX_SAFE_INTEGER,
    }),
    lookahead: wholeNumber(options.lookahead ?? DEFAULT_LOOKAHEAD, { name: "lookahead", least: 1, most: 1_000_000 }),
    wholeBatches: options.wholeBatches ?? false,
    retries: wholeNumber(options.retries ?? 0, { name: "retries", least: 0, most: 1000 }),
    backoffMs: milliseconds(options.backoffMs ?? 100, "backoffMs"),
    timeoutMs: milliseconds(options.timeoutMs ?? 0, "timeoutMs"),
    setupTimeoutMs: milliseconds(options.setupTimeoutMs ?? 60_000, "setupTimeoutMs"),
    maxTimeMs: milliseconds(options.maxTimeMs ?? 0, "maxTimeMs"),
    drainMs: milliseconds(options.drainMs ?? 5_000, "drainMs"),
    maxValueBytes: wholeNumber(options.maxValueBytes ?? DEFAULT_MAX_VALUE_BYTES, {
      name: "maxValueBytes",
      least: 1,
      most: 2 ** 29,
    }),
    onFailure,
  };
}

interface WholeNumber {
  readonly name: string;
  readonly least: number;
  readonly most: number;
}

/** Refuses anything but a whole number in range, with a line that names the option. */
function wholeNumber(value: number, { name, least, most }: WholeNumber): number {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  throw new UsageError(`${name} must be a whole number from ${least} to ${most}, not ${String(value)}`);
}

/** Milliseconds, zero for none. Timers of Node go up to 2^31 − 1. */
function milliseconds(value: number, name: string): number {
  if (Number.isFinite(value) && value >= 0 && value <= 2 ** 31 - 1) return value;
  throw new UsageError(`${name} must be between 0 (none) and ${2 ** 31 - 1} milliseconds, not ${String(value)}`);
}
