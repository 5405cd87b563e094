import type { DigestResult, FileDigest } from "@coppice/agents/digest";
import { callsText } from "@coppice/agents/models";
import { formatCount } from "@coppice/engine";

/** Summaries for people, in the order the files were given, and what they saved. */
export function digestText({ files, report }: DigestResult): string {
  const { linesIn, linesOut, savingPercent, withoutSummary, cached, removedCitations } = report;
  const lines = [
    `${formatCount(linesIn)} lines in, ${formatCount(linesOut)} lines out: ${savingPercent} % saved`,
    callsText(report.totals),
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
