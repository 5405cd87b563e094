import type { CallTotals } from "../models/call-totals.ts";
import type { DigestReport, FileDigest } from "./digest-record.ts";

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

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
