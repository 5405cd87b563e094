import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { defineEvaluator } from "@coppice/engine/evaluator";
import { decode } from "@coppice/engine/values";
import type { TreeOutcome, TreeTask, TreeValue } from "../contract.ts";

/** Where the answers are: JSON, the encoded outcome of every task by its key. */
export interface RecordedAnswers {
  readonly answers: string;
}

/** Longest pause before an answer: enough for answers to come in another order than they were asked for. */
const MOST_MS = 8;

/** Answers every task as a recorded run did: no agent is asked, and nothing is measured. */
export default defineEvaluator({
  // Cast: written beside this, for it.
  setup: ({ answers }: RecordedAnswers) => JSON.parse(readFileSync(answers, "utf8")) as Record<string, string>,
  evaluate: async (answers, _task: TreeTask, { key, seed }): Promise<TreeValue> => {
    await sleep(seed % MOST_MS);
    if (!Object.hasOwn(answers, key)) throw new Error(`the recorded run has no answer to ${key}`);
    const outcome = decode(answers[key]) as TreeOutcome;
    if (outcome.ok) return outcome.value;
    throw Object.assign(new Error(outcome.failure.message), { name: outcome.failure.type });
  },
});
