import { setTimeout as sleep } from "node:timers/promises";
import { defineEvaluator } from "@coppice/engine/evaluator";
import type { TreeContext, TreeTask, TreeValue } from "../contract.ts";
import { openTree } from "../run/recorded-tree.ts";

/** Longest pause before an answer: enough for answers to come in another order than they were asked for. */
const MOST_MS = 8;

/** Answers every task as the journal of a recorded run does: no agent is asked, and nothing is measured. */
export default defineEvaluator({
  setup: ({ runRoot }: TreeContext) => openTree(runRoot).journal,
  evaluate: async (journal, _task: TreeTask, { key, seed }): Promise<TreeValue> => {
    await sleep(seed % MOST_MS);
    const outcome = journal.outcome(key);
    if (outcome === undefined) throw new Error(`the recorded run has no answer to ${key}`);
    if (outcome.ok) return outcome.value;
    throw Object.assign(new Error(outcome.failure.message), { name: outcome.failure.type });
  },
});
