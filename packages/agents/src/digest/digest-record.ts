import type { CallTotals } from "../models/call-totals.ts";

/** What became of one file. */
export interface FileDigest {
  readonly path: string;
  readonly state: "summarised" | "failed" | "empty" | "binary" | "huge" | "unreadable";
  /** Why there is no summary, or what is missing from it. */
  readonly problem?: string;
  readonly summary: string;
  readonly linesIn: number;
  readonly linesOut: number;
  readonly words: number;
  /** It was longer than allowed. */
  readonly cut: boolean;
  readonly citations: number;
  /** Citations of places that do not exist. */
  readonly removedCitations: readonly string[];
  readonly parts: number;
  readonly cached: boolean;
}

export interface DigestResult {
  readonly question: string;
  readonly model: string;
  /** In the order given. */
  readonly files: readonly FileDigest[];
  readonly report: DigestReport;
}

/** Lines of files that were summarised, and of what they became. */
export interface DigestReport {
  readonly linesIn: number;
  readonly linesOut: number;
  /** Of lines, 0–100. */
  readonly savingPercent: number;
  readonly summarised: number;
  readonly withoutSummary: number;
  readonly cached: number;
  readonly removedCitations: number;
  readonly totals: CallTotals;
}
