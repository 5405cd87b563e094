import type { EvaluationResult } from "../contract.ts";
import type { EvaluationState } from "../search/tree-state.ts";
import type { TreeJournal } from "./tree-journal.ts";

/** What an evaluation came to, as far as the journal goes: a search that was stopped is not told what came out of turn. */
export function knownOutcome({ key, outcome }: EvaluationState, journal: TreeJournal): EvaluationState["outcome"] {
  if (outcome !== undefined) return outcome;
  const known = journal.outcome(key);
  if (known === undefined) return undefined;
  // Cast: an evaluation's key has an evaluation's value.
  return known.ok
    ? { state: "completed", result: known.value as EvaluationResult }
    : { state: "failed", ...known.failure };
}
