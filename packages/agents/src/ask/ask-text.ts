import { right, tableText } from "@coppice/engine/display";
import { formatCount } from "@coppice/engine/figures";
import { type Charges, chargesText } from "../consult/charges.ts";
import { unfinishedText } from "../consult/consultation-search.ts";
import { summaryText } from "../models/money/totals.ts";
import { parseReply } from "../replies/parse-reply.ts";
import { sharedWording } from "../swarm/near-duplicates.ts";
import { inColumns, LEAST_COLUMN } from "./answer-columns.ts";
import type { AskAnswer, AskResult } from "./question.ts";

/**
 * The answers as text, in the order asked. One answer of a model as it is stands alone, so that it can be piped on;
 * several models stand side by side where `width` has room for them.
 */
export function askText({ results }: AskResult, width: number): string {
  const [only, ...others] = results;
  if (others.length === 0 && isBare(only)) return only.ok ? only.content.trim() : "";
  if (!isComparison(results) || width < LEAST_COLUMN * results.length) return results.map(answerText).join("\n\n");
  return inColumns(
    results.map((answer) => ({ head: answer.model, text: answer.ok ? answer.content.trim() : failureText(answer) })),
    width,
  );
}

/** What is said about the answers: those that are missing or not whole, how models compare, time and money. */
export function askStatistics({ results, summary }: AskResult, charges: Charges): string {
  const notes = results.flatMap((answer) => {
    const of = results.length === 1 ? "" : `${nameOf(answer)}: `;
    if (!answer.ok) return isBare(answer) ? [`${of}${failureText(answer)}`] : [];
    return isBare(answer) && answer.unfinished !== null ? [`${of}${unfinishedText(answer.unfinished)}`] : [];
  });
  return [
    ...notes,
    ...(isComparison(results) ? [comparisonText(results)] : []),
    `${summaryText(summary)} · ${chargesText(charges)}`,
  ].join("\n");
}

/** Several models that were asked the same as they are. */
function isComparison(results: readonly AskAnswer[]): boolean {
  return (
    results.length > 1 && new Set(results.map(({ model }) => model)).size === results.length && results.every(isBare)
  );
}

/** An answer of a model, without a persona. */
function isBare({ title }: AskAnswer): boolean {
  return title === "";
}

function comparisonText(results: readonly AskAnswer[]): string {
  const answered = results.filter(({ ok }) => ok);
  const agreement = (answer: AskAnswer) => {
    const others = answered.filter((other) => other !== answer);
    if (!answer.ok || others.length === 0) return "-";
    const shares = others.map((other) => sharedWording(answer.content, other.content));
    return `${Math.round((100 * shares.reduce((sum, share) => sum + share, 0)) / shares.length)} %`;
  };
  return tableText(
    ["model", ...right("time", "tokens", "cost", "wording shared")],
    results.map((answer) => [
      answer.model,
      ...(answer.steps === 0 ? ["-", "-", "-"] : effortOf(answer)),
      agreement(answer),
    ]),
  );
}

/** Time, tokens and cost. */
function effortOf({ ms, usage, cost }: AskAnswer): string[] {
  return [
    `${(ms / 1000).toFixed(1)} s`,
    formatCount(usage.promptTokens + usage.answerTokens),
    cost === null ? "unknown" : `$${cost.toFixed(4)}`,
  ];
}

/** What a respondent is called. */
export function nameOf({ title, persona }: AskAnswer): string {
  return title === "" ? persona : title;
}

function failureText({ error }: AskAnswer): string {
  return error === null ? "" : `${error.type}: ${error.message}`;
}

function answerText(answer: AskAnswer): string {
  const { verdict, confidence, readFrom, ok, unfinished } = answer;
  const name = nameOf(answer);
  if (!ok) return `── ${name} ── no answer\n${failureText(answer)}`;
  const said =
    readFrom === null
      ? ""
      : ` ── ${verdict ?? "no verdict"}${confidence === null ? "" : `, confidence ${confidence}`}${readFrom === "prose" ? " (read from prose)" : ""}`;
  const cut = unfinishedText(unfinished);
  return `── ${name}${said}\n${bodyText(answer)}${cut === "" ? "" : `\n${cut}`}`;
}

/** The reasoning and what else the reply said; the answer itself where it has no such parts. */
export function bodyText({ content, readFrom }: AskAnswer): string {
  if (readFrom === null || readFrom === "prose") return content.trim();
  const { reasoning, blockers, infoNeeded } = parseReply(content);
  const list = (head: string, items: readonly string[]) =>
    items.length === 0 ? [] : [head, ...items.map((item) => `  - ${item}`)];
  return [reasoning.trim(), ...list("Blockers:", blockers), ...list("Would need to know:", infoNeeded)].join("\n");
}
