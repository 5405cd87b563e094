import type { Outcome, SearchProgress } from "@coppice/engine";
import { ConsultationSearch, saidOnce } from "../consult/consultation-search.ts";
import type { ModelAnswer } from "../models/consultation.ts";
import { summaryOf } from "../models/money/totals.ts";
import type { Swarm, SwarmAnswer, SwarmResult } from "./swarm.ts";
import { aggregate } from "./swarm-aggregate.ts";

/** Asks every prompt of a swarm once. Ask n is prompt n, so that an answer can never come under another's label. */
export class SwarmSearch extends ConsultationSearch<SwarmResult> {
  readonly #swarm: Swarm;
  readonly #outcomes = new Map<number, Outcome<ModelAnswer>>();

  constructor(swarm: Swarm) {
    super();
    this.#swarm = swarm;
    // The place is part of the key: the same prompt asked ten times is meant to have ten answers.
    for (const [index, task] of swarm.tasks.entries()) {
      this.consult(task, index, (outcome) => this.#outcomes.set(index, outcome));
    }
  }

  result(): SwarmResult {
    const { mode, about, tasks, skipped } = this.#swarm;
    const results = tasks.map(
      ({ label }, index): SwarmAnswer => ({ index, label, ...saidOnce(this.#outcomes.get(index)) }),
    );
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
    return { levels: [{ name: "Answers", done: this.#outcomes.size, total: this.#swarm.tasks.length }] };
  }
}
