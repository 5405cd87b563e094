import { labelledReply, listItems } from "../replies/labelled-reply.ts";
import { structuredReply } from "../replies/structured-reply.ts";
import type { Synthesis } from "./council-record.ts";
import { confidenceOf, namedOf, verdictOf } from "./opinion.ts";
import { fieldsOf } from "./reply-fields.ts";

type Read = Pick<Synthesis, "verdict" | "confidence" | "reasoning" | "next" | "rulings" | "recruits">;

const labels = ["VERDICT", "CONFIDENCE", "REASONING", "NEXT", "RULINGS", "RECRUITS"];

/** Reads the arbiter's reply. Undefined when it holds no verdict: a synthesis without one decides nothing. */
export function readSynthesis(text: string): Read | undefined {
  const structured = structuredReply(text);
  const reply =
    structured !== undefined && "verdict" in structured ? fieldsOf(structured) : labelledReply(text, labels);
  const verdict = verdictOf(reply.VERDICT ?? "");
  if (verdict === null) return undefined;
  return {
    verdict,
    confidence: confidenceOf(reply.CONFIDENCE),
    reasoning: reply.REASONING ?? "",
    next: /^\W*conclude/i.test(reply.NEXT ?? "") ? "conclude" : "continue",
    rulings: listItems(reply.RULINGS).map(namedOf),
    recruits: listItems(reply.RECRUITS)
      .map(namedOf)
      .filter(({ name }) => name !== ""),
  };
}
