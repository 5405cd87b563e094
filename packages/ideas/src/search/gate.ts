import type { EvaluationResult } from "../contract.ts";

/** Why an evaluation may not be promoted; the first that applies. */
export type GateReason =
  | "eval_not_completed"
  | "missing_candidate_commit"
  | "missing_candidate_results_csv"
  | "candidate_results_csv_not_in_artifacts"
  | "incomplete_or_failed_rows"
  | "missing_candidate_rows_used"
  | "candidate_rows_used_mismatch"
  | "missing_primary_delta"
  | "primary_regressed"
  | "should_explore_false";

/** Null when the evaluation passes. Judged against its parent: what is worse in the primary metric never passes. */
export function gate(result: EvaluationResult | undefined): GateReason | null {
  if (result === undefined) return "eval_not_completed";
  const { commit, results, completeness, parentRelative } = result;
  if (commit === "") return "missing_candidate_commit";
  if (results.path === "") return "missing_candidate_results_csv";
  if (!results.path.startsWith("artifacts/")) return "candidate_results_csv_not_in_artifacts";
  if (completeness.expected !== null) {
    if (!completeness.complete) return "incomplete_or_failed_rows";
    if (parentRelative.candidateRows === null) return "missing_candidate_rows_used";
    if (parentRelative.candidateRows !== completeness.expected) return "candidate_rows_used_mismatch";
  }
  if (parentRelative.primaryDelta === null) return "missing_primary_delta";
  if (parentRelative.primaryDelta < 0) return "primary_regressed";
  if (!parentRelative.shouldExplore && parentRelative.grade !== "mixed") return "should_explore_false";
  return null;
}
