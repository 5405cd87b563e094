import { parseReply } from "../replies/parse-reply.ts";
import type { AskAnswer, AskResult } from "./ask-result.ts";
import type { AskSummary } from "./summary.ts";

/** The answers as text for people, in the order asked. */
export function askText({ results, summary }: AskResult): string {
  return [...results.map(answerText), summaryText(summary)].join("\n\n");
}

function answerText(answer: AskAnswer): string {
  const { title, persona, verdict, confidence, readFrom, ok, error } = answer;
  const name = title === "" ? persona : title;
  if (!ok) return `── ${name} ── no answer\n${error === null ? "" : `${error.type}: ${error.message}`}`;
  const said =
    readFrom === null
      ? ""
      : ` ── ${verdict ?? "no verdict"}${confidence === null ? "" : `, confidence ${confidence}`}${readFrom === "prose" ? " (read from prose)" : ""}`;
  return `── ${name}${said}\n${bodyText(answer)}`;
}

/** The reasoning and what else the reply said; the answer itself where it has no such parts. */
function bodyText({ content, readFrom }: AskAnswer): string {
  if (readFrom === null || readFrom === "prose") return content.trim();
  const { reasoning, blockers, infoNeeded } = parseReply(content);
  const list = (head: string, items: readonly string[]) =>
    items.length === 0 ? [] : [head, ...items.map((item) => `  - ${item}`)];
  return [reasoning.trim(), ...list("Blockers:", blockers), ...list("Would need to know:", infoNeeded)].join("\n");
}

/** One line: how many answered, how long it took, tokens and money. */
export function summaryText({ ok, failed, ms, usage, cost }: AskSummary): string {
  const tokens = `${usage.promptTokens.toLocaleString("en")} tokens asked, ${usage.answerTokens.toLocaleString("en")} answered`;
  const money = cost === null ? "cost unknown" : `$${cost.toFixed(cost < 1 ? 4 : 2)}`;
  return `${ok} answered, ${failed} failed · ${(ms / 1000).toFixed(1)} s · ${tokens} · ${money}`;
}
