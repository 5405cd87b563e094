import { type Charges, chargesText } from "../consult/charges.ts";
import { unfinishedText } from "../consult/consultation-search.ts";
import { summaryText } from "../models/money/totals.ts";
import { parseReply } from "../replies/parse-reply.ts";
import type { AskAnswer, AskResult } from "./question.ts";

/** The answers as text for people, in the order asked. */
export function askText({ results, summary }: AskResult, charges: Charges): string {
  return [...results.map(answerText), `${summaryText(summary)} · ${chargesText(charges)}`].join("\n\n");
}

function answerText(answer: AskAnswer): string {
  const { title, persona, verdict, confidence, readFrom, ok, error, unfinished } = answer;
  const name = title === "" ? persona : title;
  if (!ok) return `── ${name} ── no answer\n${error === null ? "" : `${error.type}: ${error.message}`}`;
  const said =
    readFrom === null
      ? ""
      : ` ── ${verdict ?? "no verdict"}${confidence === null ? "" : `, confidence ${confidence}`}${readFrom === "prose" ? " (read from prose)" : ""}`;
  const cut = unfinishedText(unfinished);
  return `── ${name}${said}\n${bodyText(answer)}${cut === "" ? "" : `\n${cut}`}`;
}

/** The reasoning and what else the reply said; the answer itself where it has no such parts. */
function bodyText({ content, readFrom }: AskAnswer): string {
  if (readFrom === null || readFrom === "prose") return content.trim();
  const { reasoning, blockers, infoNeeded } = parseReply(content);
  const list = (head: string, items: readonly string[]) =>
    items.length === 0 ? [] : [head, ...items.map((item) => `  - ${item}`)];
  return [reasoning.trim(), ...list("Blockers:", blockers), ...list("Would need to know:", infoNeeded)].join("\n");
}
