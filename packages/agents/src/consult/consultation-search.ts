import type { Failure, Outcome, Proposal, Search, SearchProgress } from "@coppice/engine";
import { type Consultation, consultationKey, type ModelAnswer, type TokenUsage } from "../models/consultation.ts";
import { addUsage, sumCosts, usageOf } from "../models/totals.ts";

/** Called with what came of a consultation. */
export type Told = (outcome: Outcome<ModelAnswer>) => void;

/** A search that asks models, first come, first asked, and is done when nothing is left to ask or to wait for. */
export abstract class ConsultationSearch<Result> implements Search<Consultation, ModelAnswer, Result> {
  readonly #queue: { readonly consultation: Consultation; readonly position: number | string; readonly told: Told }[] =
    [];
  readonly #awaited = new Map<number, { readonly key: string; readonly told: Told }>();
  #asked = 0;

  abstract result(): Result;
  abstract progress(): SearchProgress;

  /** Has a model asked; `position` tells requests apart that are the same and are meant to have several answers. */
  protected consult(consultation: Consultation, position: number | string, told: Told): void {
    this.#queue.push({ consultation, position, told });
  }

  ask(): Proposal<Consultation> {
    const next = this.#queue.shift();
    if (next === undefined) return { kind: this.#awaited.size > 0 ? "wait" : "done" };
    const { label, request } = next.consultation;
    const key = consultationKey(next.consultation, next.position);
    this.#awaited.set(this.#asked++, { key, told: next.told });
    return { kind: "candidate", candidate: { label, request }, key };
  }

  tell(outcome: Outcome<ModelAnswer>, ask: number): void {
    const awaited = this.#awaited.get(ask);
    this.#awaited.delete(ask);
    awaited?.told(outcome);
  }

  /** Asks that are still without an outcome, with their keys; for what came in after an interruption. */
  outstanding(): ReadonlyMap<number, string> {
    return new Map([...this.#awaited].map(([ask, { key }]) => [ask, key]));
  }
}

/** What somebody who was asked once or several times has said. */
export interface Said {
  readonly ok: boolean;
  /** The last answer; empty without one. */
  readonly content: string;
  readonly reasoning: string;
  /** All answers together. */
  readonly ms: number;
  readonly usage: TokenUsage;
  /** US dollars; null when no price is known. */
  readonly cost: number | null;
  readonly error: Failure | null;
}

/** Puts together what was answered, the last answer last, and what failed in the end. */
export function saidIn(answers: readonly ModelAnswer[], failure: Failure | undefined): Said {
  const last = answers.at(-1);
  return {
    ok: failure === undefined && last !== undefined,
    content: last?.content ?? "",
    reasoning: last?.reasoning ?? "",
    ms: answers.reduce((sum, { ms }) => sum + ms, 0),
    usage: addUsage(answers.map(usageOf)),
    cost: sumCosts(answers.map(({ cost }) => cost ?? null)),
    error: failure ?? (last === undefined ? { type: "NotAnswered", message: "there was no answer yet" } : null),
  };
}
