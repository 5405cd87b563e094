import { isRecord } from "@coppice/engine/values";
import { jsonValuesIn } from "../../replies/json-in-text.ts";
import { field, mentions, parseReply } from "../../replies/parse-reply.ts";
import type { Mention, Verdict } from "../../replies/reply.ts";
import type { Convergence } from "./convergence.ts";

/** What the arbiter made of a round. */
export interface Synthesis {
  readonly verdict: Verdict | null;
  readonly confidence: number;
  readonly reasoning: string;
  readonly next: "continue" | "conclude";
  readonly rulings: readonly Mention[];
  readonly recruits: readonly Mention[];
  /** Who spoke: the arbiter, its fallback model, or nobody, so that the numbers had to. */
  readonly by: "arbiter" | "fallback" | "statistics";
  readonly model: string | null;
  /** What went wrong before, one line per attempt. */
  readonly trouble: readonly string[];
}

/** The reply the arbiter is asked for after a round; `readSynthesis` reads it back. */
export const SYNTHESIS_FORM = `Reply with one JSON object and nothing else:
{
  "verdict": "PROCEED" | "CONDITIONAL_GO" | "STOP" | "ABSTAIN",
  "confidence": 0 to 100, how sure you are that the verdict is right,
  "reasoning": "what the council found, where it disagrees and what decides it, in plain sentences",
  "next": "CONTINUE" if another round can change the verdict, "CONCLUDE" if it cannot,
  "rulings": [{ "persona": "who escalated", "why": "your ruling, in one sentence" }],
  "recruits": [{ "persona": "who is missing", "why": "in one sentence" }]
}
Leave out rulings and recruits where they do not apply.`;

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

/** What the numbers alone say, when there is no arbiter to be had. */
export function statistics({ verdict, ratio }: Convergence, trouble: readonly string[]): Synthesis {
  const share = Math.round(ratio * 100);
  return {
    verdict,
    confidence: share,
    reasoning: `${verdict ?? "No verdict"} leads with ${share} % of the weight. No arbiter has judged the arguments.`,
    next: "continue",
    rulings: [],
    recruits: [],
    by: "statistics",
    model: null,
    trouble: [...trouble],
  };
}
