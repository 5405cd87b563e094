import { knownOutcome } from "../run/known-outcome.ts";
import type { TreeJournal } from "../run/tree-journal.ts";
import { judge } from "../search/barrier.ts";
import type { DepthState, EvaluationState } from "../search/tree-state.ts";

/** A depth with what the journal knows beyond the search. */
export type JudgedDepth = Omit<DepthState, "evaluations"> & { readonly evaluations: readonly EvaluationState[] };

/** Judges a depth as far as it goes when the run has ended; while it is under way, only its barrier does. */
export function judgedDepth(depth: DepthState, journal: TreeJournal, ended: boolean): JudgedDepth {
  if (depth.decisions.size > 0) return depth;
  const evaluations = depth.evaluations.map((evaluation) => {
    const outcome = knownOutcome(evaluation, journal);
    return outcome === evaluation.outcome ? evaluation : { ...evaluation, outcome };
  });
  return { ...depth, evaluations, decisions: ended ? judge(evaluations).decisions : new Map() };
}
