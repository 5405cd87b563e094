import { jsonValuesIn } from "../replies/json-in-text.ts";
import { field, isRecord, mentions, parseReply } from "../replies/parse-reply.ts";
import type { Synthesis } from "./council-record.ts";

type Read = Pick<Synthesis, "verdict" | "confidence" | "reasoning" | "next" | "rulings" | "recruits">;

/** What only the arbiter says, in the labelled form: up to the next label or the end. */
const ownLabels = /^[\s*#>-]*(NEXT|RULINGS)\b[*\s]*:((?:(?!\n[\s*#>-]*[A-Z_]{4,}\b[*\s]*:)[\s\S])*)/gim;

/** Reads the arbiter's reply. Undefined when it holds no verdict: a synthesis without one decides nothing. */
export function readSynthesis(text: string): Read | undefined {
  const { verdict, confidence, reasoning, recruits } = parseReply(text.replace(ownLabels, ""));
  if (verdict === null) return undefined;
  const said = ownFields(text);
  const next = /^\W*conclude/i.test(String(said.next ?? "")) ? "conclude" : "continue";
  return { verdict, confidence, reasoning, next, rulings: mentions(said.rulings), recruits };
}

function ownFields(text: string): { readonly next: unknown; readonly rulings: unknown } {
  const json = jsonValuesIn(text)
    .filter(isRecord)
    .find((value) => field(value, "verdict") !== undefined);
  if (json !== undefined) return { next: field(json, "next"), rulings: field(json, "rulings") };
  const labelled = new Map(
    [...text.matchAll(ownLabels)].map(([, label, rest]) => [label?.toUpperCase(), rest?.trim()]),
  );
  return { next: labelled.get("NEXT"), rulings: labelled.get("RULINGS") };
}
