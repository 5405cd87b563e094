import type { Search, StartOptions } from "@coppice/engine";

/** A run as its tool prepares it, the same for a start, a resume and a verification. */
export interface PlannedRun<Candidate = unknown, Value = unknown, Result = unknown>
  extends Pick<StartOptions<Candidate, Value, Result>, "evaluator" | "context" | "shared"> {
  readonly search: Search<Candidate, Value, Result>;
  /** Digest of the input files, if the tool reads any. */
  readonly inputs?: string;
  /** Writes what the tool makes of the result (files, reports), once a resumed run is done. */
  finish?(result: Result): void;
  /** The result as text for people; otherwise it is printed as JSON. */
  describe?(result: Result): string;
}
