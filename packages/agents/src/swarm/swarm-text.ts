import { type Charges, chargesText } from "../consult/charges.ts";
import { unfinishedText } from "../consult/consultation-search.ts";
import { summaryText } from "../models/money/totals.ts";
import { parseReply } from "../replies/parse-reply.ts";
import type { SwarmAnswer, SwarmResult } from "./swarm.ts";

const NAMES_SHOWN = 5;
/** Failures that are printed one by one. */
const FAILURES_SHOWN = 10;

export function swarmText(result: SwarmResult, charges: Charges): string {
  return [
    ...parts(result),
    ...skippedText(result),
    ...failureText(result),
    ...unfinishedTexts(result),
    `${summaryText(result.summary)} · ${chargesText(charges)}`,
  ].join("\n\n");
}

function parts({ aggregate, results }: SwarmResult): string[] {
  const contentOf = (index: number) => results[index].content.trim();
  switch (aggregate.mode) {
    case "analyze":
      return aggregate.views.map(({ index, label, verdict, confidence, form }) => {
        const { reasoning } = parseReply(contentOf(index));
        const mark = form === "prose" ? " (read from prose)" : "";
        return `── ${label} ── ${verdict ?? "no verdict"}, confidence ${confidence}${mark}\n${reasoning.trim()}`;
      });
    case "generate":
    case "batch":
      return aggregate.distinct.map(({ index, label, same }) => {
        const others = same.length === 0 ? "" : ` (nearly the same: ${namesText(same)})`;
        return `── ${label}${others}\n${contentOf(index)}`;
      });
    case "review": {
      const { counts, files, unread } = aggregate;
      const found = files.filter(({ findings }) => findings.length > 0);
      return [
        Object.entries(counts)
          .map(([severity, count]) => `${count} ${severity}`)
          .join(", "),
        ...found.map(({ label, findings, form }) =>
          [
            `── ${label}${form === "labels" ? " (read from prose)" : ""}`,
            ...findings.map(
              ({ severity, line, finding, removedCitations }) =>
                `  ${severity}${line === null ? "" : ` ${label}:${line}`}: ${finding}${inventedText(removedCitations)}`,
            ),
          ].join("\n"),
        ),
        ...(unread.length === 0 ? [] : [`Not in the form that was asked for, so not counted: ${unread.join(", ")}`]),
      ];
    }
    case "test-cases": {
      const { categories, unread } = aggregate;
      return [
        ...Object.entries(categories).map(([category, cases]) =>
          [
            `── ${category}`,
            ...cases.map(({ name, given, expect }) => `  ${name}\n    given  ${given}\n    expect ${expect}`),
          ].join("\n"),
        ),
        ...(unread.length === 0 ? [] : [`Not in the form that was asked for: ${unread.join(", ")}`]),
      ];
    }
    default:
      return aggregate satisfies never;
  }
}

export function inventedText(removed: readonly string[]): string {
  return removed.length === 0 ? "" : ` (cited ${removed.join(", ")}, which does not exist)`;
}

/** The first few names; of many the rest is counted. */
function namesText(names: readonly string[]): string {
  if (names.length <= NAMES_SHOWN) return names.join(", ");
  return `${names.slice(0, NAMES_SHOWN).join(", ")} and ${names.length - NAMES_SHOWN} more`;
}

function skippedText({ skipped }: SwarmResult): string[] {
  if (skipped.length === 0) return [];
  return [`Skipped:\n${skipped.map(({ label, why }) => `  ${label}: ${why}`).join("\n")}`];
}

function failureText({ results }: SwarmResult): string[] {
  const failed = results.filter(({ ok }) => !ok);
  if (failed.length === 0) return [];
  const shown = failed.slice(0, FAILURES_SHOWN).map(failedLine);
  const rest = failed.length > shown.length ? [`  … and ${failed.length - shown.length} more`] : [];
  return [["Without an answer:", ...shown, ...rest].join("\n")];
}

function unfinishedTexts({ results }: SwarmResult): string[] {
  const lines = results
    .filter(({ unfinished }) => unfinished !== null)
    .map(({ label, unfinished }) => `  ${label}: ${unfinishedText(unfinished)}`);
  return lines.length === 0 ? [] : [["Not whole:", ...lines].join("\n")];
}

function failedLine({ label, error }: SwarmAnswer): string {
  return `  ${label}: ${error === null ? "" : `${error.type}: ${error.message}`}`;
}
