import type { RunEvent } from "../contract/event.ts";
import type { PoolFactory } from "../contract/pool.ts";
import type { Run } from "../driver/run.ts";
import type { StartOptions } from "../driver/start-options.ts";
import type { EndedRun, SessionOptions } from "./run-to-end.ts";

/**
 * A run as its tool prepares it: the same object for a start, a resume and a verification, made before anything is
 * touched. Where the run is kept is known only later, so whatever depends on it is told.
 */
export interface PreparedRun<Candidate = unknown, Value = unknown, Result = unknown>
  extends Pick<
    StartOptions<Candidate, Value, Result>,
    | "search"
    | "evaluator"
    | "evaluatorFiles"
    | "evaluatorFolders"
    | "context"
    | "shared"
    | "resources"
    | "impure"
    | "policy"
    | "wholeBatches"
    | "drainMs"
  > {
  /** Name under which the tool prepares recorded runs again. */
  readonly tool: string;
  /** What `run.json` keeps so that the tool can do so; plain JSON. */
  record(directory: string): unknown;
  /** What shapes the answer; what is absent has the engine's default. A resumed run keeps what it was started with. */
  readonly shape?: RunShapeChoices;
  /** Digest of the input files, if the tool reads any. */
  readonly inputs?: string;
  readonly lockStaleMs?: number;
  /** What it keeps is for its user alone (questions to models, their answers): its directory is closed to everybody else. */
  readonly isPrivate?: boolean;
  /** The pool it is worked on, where that is for the tool to say and not for the session. */
  readonly pool?: () => Promise<PoolFactory>;
  /** The tool keeps the session's time itself: after the engine's own limit a run could never go on. */
  readonly keepsTime?: boolean;
  /** Refuses to work on the run in `directory` as it is, before anything is touched. */
  before?(directory: string, options: SessionOptions): void | Promise<void>;
  /** Start options that depend on where the run is kept. */
  placed?(
    directory: string,
    resumed: boolean,
    options: SessionOptions,
  ): Pick<StartOptions<Candidate, Value, Result>, "context" | "evaluatorFolders" | "admit" | "prepare">;
  /** An event with what people are told of it, where the usual lines do not do. */
  retold?(event: RunEvent, directory: string): RunEvent;
  /** Called when the run is under way. */
  begun?(run: Run<Result>, directory: string, options: SessionOptions): void;
  /** Called when the session is over, however it ended. */
  over?(directory: string): void | Promise<void>;
  /** Writes what the tool makes of the result (files, reports) once the run is done. */
  finish?(result: Result, directory: string): void;
  /** Where the page of a run that is done is wanted besides its directory, if somebody makes one. */
  pages?(directory: string): readonly string[];
  /** What is known of the result of a run that ended before it was done; writes what can be written of it. */
  partial?(directory: string): Result | undefined;
  /** The result as text for people; otherwise it is printed as JSON. */
  describe?(result: Result, directory: string): string;
  /** What is said about the result beside it: time, cost, what is missing. */
  remarks?(result: Result, directory: string): string;
  /** The document of `--json`, instead of the result as it is. */
  document?(result: Result, directory: string, resume: string): Readonly<Record<string, unknown>>;
  /** The exit code where it is not the usual one: 0 done, 1 failed, 130 interrupted. */
  exitCode?(end: EndedRun<Result>, directory: string): number | undefined;
  /** The command that resumes it, before the run's id; `resume` if absent. */
  readonly resumeWith?: string;
  /** The line for people about a run that is not done, where the usual one does not do; undefined when there is none to say. */
  farewell?(end: EndedRun<Result>, directory: string, resume: string, usual: string | undefined): string | undefined;
}

/** What shapes a run's answer besides the tool's own options. */
export type RunShapeChoices = Pick<
  StartOptions<unknown, unknown, unknown>,
  "seed" | "lookahead" | "retries" | "timeoutMs" | "onFailure"
>;
