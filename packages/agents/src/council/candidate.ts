import { createHash } from "node:crypto";
import type { Outcome } from "@coppice/engine";
import type { Keyed } from "../consult/ask-desk.ts";
import type { Consultation, ModelAnswer, WrittenAnswer } from "../models/consultation.ts";
import { consultationKey, readBack } from "../models/consultation.ts";
import type { InfoRequest } from "./look-up/info-request.ts";

/** What a council wants done: a model asked, the code searched, or a person asked. */
export type CouncilCandidate =
  | ({ readonly kind: "model" } & Consultation)
  | { readonly kind: "code"; readonly label: string; readonly terms: readonly string[] }
  | { readonly kind: "person"; readonly label: string; readonly question: string; readonly by: readonly string[] };

/** What comes back; a search or a person may well have nothing to say. */
export type CouncilValue =
  | ({ readonly kind: "model" } & (WrittenAnswer | ModelAnswer))
  | { readonly kind: "found"; readonly answer: string | null; readonly from: string };

/** What comes back, with what an answer took beside it. */
export type CouncilNews =
  | ({ readonly kind: "model" } & ModelAnswer)
  | Extract<CouncilValue, { readonly kind: "found" }>;

export function newsOf(outcome: Outcome<CouncilValue>): Outcome<CouncilNews> {
  if (!outcome.ok || outcome.value.kind === "found") return outcome as Outcome<CouncilNews>;
  const { kind, ...answer } = outcome.value;
  return { ok: true, value: { kind, ...readBack(answer) } };
}

export type KeyedCandidate = Keyed<CouncilCandidate>;

/** Asks a model, at one place of the council. */
export function keyed(consultation: Consultation, position: string): KeyedCandidate {
  return { candidate: { kind: "model", ...consultation }, key: consultationKey(consultation, position) };
}

/** Has a request looked up, where it can be. */
export function lookUp({ id, text, kind, terms, by }: InfoRequest): KeyedCandidate {
  const label = `look up: ${text}`;
  const key = `${kind} ${createHash("sha256").update(id).digest("hex").slice(0, 16)}`;
  return kind === "code"
    ? { candidate: { kind, label, terms }, key }
    : { candidate: { kind, label, question: text, by }, key };
}

/** One hash for everything a round is asked; rounds with the same hash are the same round. */
export function contextHash(asked: readonly KeyedCandidate[]): string {
  return createHash("sha256")
    .update(JSON.stringify(asked.map(({ key }) => key)))
    .digest("hex")
    .slice(0, 16);
}
