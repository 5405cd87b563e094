import type { Failure, Outcome, Proposal, Search, SearchProgress } from "@coppice/engine";
import {
  type Consultation,
  consultationKey,
  type ModelAnswer,
  readBack,
  type TokenUsage,
  type Unfinished,
  type WrittenAnswer,
} from "../models/consultation.ts";
import { addUsage, sumCosts, usageOf } from "../models/money/totals.ts";
import { AskDesk } from "./ask-desk.ts";

/** A search that asks models, and is done when nothing is left to ask or to wait for. */
export abstract class ConsultationSearch<Result> implements Search<Consultation, WrittenAnswer | ModelAnswer, Result> {
  readonly #desk = new AskDesk<Consultation, (outcome: Outcome<ModelAnswer>) => void>();

  abstract result(): Result;
  abstract progress(): SearchProgress;

  /**
   * Has a model asked; `told` hears what came of it. `position` tells apart requests that are meant to be asked several
   * times.
   */
  protected consult(
    { label, request }: Consultation,
    position: number | string,
    told: (outcome: Outcome<ModelAnswer>) => void,
  ): void {
    const candidate = { label, request };
    this.#desk.propose({ candidate, key: consultationKey(candidate, position) }, told);
  }

  ask(): Proposal<Consultation> {
    return this.#desk.next() ?? { kind: this.#desk.awaited > 0 ? "wait" : "done" };
  }

  tell(outcome: Outcome<WrittenAnswer | ModelAnswer>, ask: number): void {
    this.#desk.answered(ask)(outcome.ok ? { ok: true, value: readBack(outcome.value) } : outcome);
  }

  /** Asks that are still without an outcome, with their keys; for what came in after an interruption. */
  outstanding(): ReadonlyMap<number, string> {
    return this.#desk.outstanding();
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
  /** How the last answer ended if it is not whole. */
  readonly unfinished: Unfinished | null;
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
    error: failure ?? (last === undefined ? { type: "NotAnswered", message: "there was no whole answer yet" } : null),
    unfinished: last?.unfinished ?? null,
  };
}

/** The same of somebody who was asked once at the most. */
export function saidOnce(outcome: Outcome<ModelAnswer> | undefined): Said {
  return saidIn(outcome?.ok === true ? [outcome.value] : [], outcome?.ok === false ? outcome.failure : undefined);
}

/** What is said of an answer that is not whole. */
export function unfinishedText(unfinished: Unfinished | null): string {
  switch (unfinished) {
    case null:
      return "";
    case "cut":
      return "[cut at the limit of its length: raise --max-tokens, or have it continued with --continue-cut]";
    case "filtered":
      return "[the provider's content filter took the rest away]";
    case "overflown":
      return "[the command printed more than is read: the rest is missing]";
    default:
      return unfinished satisfies never;
  }
}
