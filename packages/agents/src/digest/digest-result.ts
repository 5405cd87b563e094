import { formatCount } from "@coppice/engine/display";
import { type Charges, chargesText } from "../consult/charges.ts";
import { type CallTotals, callsText, sum } from "../models/money/totals.ts";

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

/** What is known after many files were read for one question. */
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

/** What the digest saved: lines of files that have a summary against lines of their summaries. */
export function reportOf(files: readonly FileDigest[], totals: CallTotals): DigestReport {
  const summarised = files.filter(({ state }) => state === "summarised");
  const linesIn = sum(summarised.map((file) => file.linesIn));
  const linesOut = sum(summarised.map((file) => file.linesOut));
  return {
    linesIn,
    linesOut,
    savingPercent: linesIn === 0 ? 0 : Math.round((1 - linesOut / linesIn) * 1000) / 10,
    summarised: summarised.length,
    withoutSummary: files.length - summarised.length,
    cached: files.filter(({ cached }) => cached).length,
    removedCitations: sum(files.map(({ removedCitations }) => removedCitations.length)),
    totals,
  };
}

/** Summaries for people, in the order the files were given, and what they saved. */
export function digestText({ files, report }: DigestResult, charges: Charges): string {
  const { linesIn, linesOut, savingPercent, withoutSummary, cached, removedCitations } = report;
  const lines = [
    `${formatCount(linesIn)} lines in, ${formatCount(linesOut)} lines out: ${savingPercent} % saved`,
    `${callsText(report.totals)} · ${chargesText(charges)}`,
    ...(cached === 0 ? [] : [`${cached} of ${files.length} summaries were known already`]),
    ...(removedCitations === 0 ? [] : [`${removedCitations} citations of places that do not exist were removed`]),
    ...(withoutSummary === 0 ? [] : [`${withoutSummary} of ${files.length} files have no summary`]),
  ];
  return [...files.map(fileText), lines.join("\n")].join("\n\n");
}

function fileText({ path, state, problem, summary, linesIn }: FileDigest): string {
  if (state !== "summarised") return `## ${path}\n(no summary: ${state === "failed" ? "" : `${state}: `}${problem})`;
  const missing = problem === undefined ? "" : `\n(incomplete: ${problem})`;
  return `## ${path} (${formatCount(linesIn)} lines)\n${summary}${missing}`;
}
