import type { Outcome, Proposal, Search, SearchProgress } from "@coppice/engine";
import { summaryOf } from "../ask/summary.ts";
import type { Consultation, ModelAnswer } from "../models/contract.ts";
import { consultationKey } from "../models/request-key.ts";
import { usageOf } from "../models/totals.ts";
import { aggregate } from "./aggregate.ts";
import type { SwarmPlan, SwarmTask } from "./swarm-plan.ts";
import type { SwarmAnswer, SwarmResult } from "./swarm-result.ts";

/** Asks every prompt of a swarm once. Ask n is prompt n, so that an answer can never come under another's label. */
export class SwarmSearch implements Search<Consultation, ModelAnswer, SwarmResult> {
  readonly #plan: SwarmPlan;
  readonly #outcomes = new Map<number, Outcome<ModelAnswer>>();
  #asked = 0;

  constructor(plan: SwarmPlan) {
    this.#plan = plan;
  }

  ask(): Proposal<Consultation> {
    const { tasks } = this.#plan;
    if (this.#asked === tasks.length) return this.#outcomes.size < tasks.length ? { kind: "wait" } : { kind: "done" };
    const { label, request } = tasks[this.#asked];
    const key = this.#key(this.#asked++);
    return { kind: "candidate", candidate: { label, request }, key };
  }

  tell(outcome: Outcome<ModelAnswer>, ask: number): void {
    this.#outcomes.set(ask, outcome);
  }

  /** Asks that are still without an outcome, with their keys. */
  outstanding(): ReadonlyMap<number, string> {
    const open = Array.from({ length: this.#asked }, (_, ask) => ask).filter((ask) => !this.#outcomes.has(ask));
    return new Map(open.map((ask) => [ask, this.#key(ask)]));
  }

  result(): SwarmResult {
    const { mode, about, tasks, skipped } = this.#plan;
    const results = tasks.map((task, index) => answerOf(task, index, this.#outcomes.get(index)));
    return {
      mode,
      about,
      model: [...new Set(tasks.map(({ request }) => request.model))].join(", "),
      results,
      skipped,
      aggregate: aggregate(mode, tasks, results),
      summary: summaryOf(results),
    };
  }

  progress(): SearchProgress {
    return { levels: [{ name: "Answers", done: this.#outcomes.size, total: this.#plan.tasks.length }] };
  }

  /** The place is part of the key: the same prompt asked ten times is meant to have ten answers. */
  #key(ask: number): string {
    return consultationKey(this.#plan.tasks[ask], ask);
  }
}

const NOT_YET = { type: "NotAnswered", message: "there was no answer yet" } as const;

function answerOf({ label }: SwarmTask, index: number, outcome: Outcome<ModelAnswer> | undefined): SwarmAnswer {
  const answer = outcome?.ok === true ? outcome.value : undefined;
  return {
    index,
    label,
    ok: answer !== undefined,
    content: answer?.content ?? "",
    reasoning: answer?.reasoning ?? "",
    ms: answer?.ms ?? 0,
    usage: answer === undefined ? { promptTokens: 0, answerTokens: 0 } : usageOf(answer),
    cost: answer?.cost ?? null,
    error: outcome === undefined ? NOT_YET : outcome.ok ? null : outcome.failure,
  };
}
