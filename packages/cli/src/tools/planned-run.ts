import type { Run, Search, StartOptions } from "@coppice/engine";

import type { WorkOptions } from "../options/work-options.ts";

/** A run as its tool prepares it, the same for a start, a resume and a verification. */
export interface PlannedRun<Candidate = unknown, Value = unknown, Result = unknown>
  extends Pick<StartOptions<Candidate, Value, Result>, "evaluator" | "context" | "shared" | "impure"> {
  readonly search: Search<Candidate, Value, Result>;
  /** Digest of the input files, if the tool reads any. */
  readonly inputs?: string;
  /** Refuses to work on the run in `directory` as it stands, before anything is touched. */
  before?(directory: string, work: WorkOptions): void;
  /** Called when the run is under way. */
  begun?(run: Run<Result>, directory: string, work: WorkOptions): void;
  /** Called when the session is over, however it ended. */
  over?(): Promise<void>;
  /** What is known of the result of a run that was interrupted. */
  partial?(directory: string): Result;
  /** The document of `--json`, instead of the result as it is. */
  document?(result: Result): Readonly<Record<string, unknown>>;
  /** The exit code of a run that is done; 0 if absent. */
  exitCode?(result: Result): number;
  /** Continues the run in the tool's own way, where it has more to do than to search. */
  resume?(options: WorkOptions): Promise<void>;
  /** Writes what the tool makes of the result (files, reports), once a resumed run is done. */
  finish?(result: Result): void;
  /** The result as text for people; otherwise it is printed as JSON. */
  describe?(result: Result): string;
}
