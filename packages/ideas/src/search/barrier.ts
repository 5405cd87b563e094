import type { EvaluationResult, TreeId } from "../contract.ts";
import type { TreeShape } from "../settings.ts";
import { compareIds, completedResult, type Decision, type EvaluationState } from "./tree-state.ts";

export interface Barrier {
  readonly decisions: ReadonlyMap<TreeId, Decision>;
  /** Those that passed, best first. */
  readonly ranking: readonly EvaluationState[];
}

/**
 * Gates and ranks a depth. A pure function of what its evaluations came to: of which finished when, or in which order
 * they are given, nothing is seen. What has no outcome (a run that was stopped) does not pass.
 */
export function judge(evaluations: readonly EvaluationState[], rules: GainRules = NO_RULES): Barrier {
  const decisions = new Map<TreeId, Decision>();
  const passed: { evalId: TreeId; result: CompletedResult; evaluation: EvaluationState }[] = [];
  const last = lastCompleted(evaluations);
  for (const evaluation of evaluations) {
    const { evalId } = evaluation.task;
    const result = completedResult(evaluation);
    const superseded = result !== undefined && last.get(pair(evaluation)) !== evaluation;
    const reason = superseded ? "superseded" : (gate(result) ?? gainGate(evaluation, rules));
    const score = result === undefined ? null : rankScore(result);
    decisions.set(evalId, { passedGate: reason === null, reason, rankScore: score, rank: null });
    if (reason === null && result !== undefined) passed.push({ evalId, result, evaluation });
  }
  const ranking = ranked(passed);
  for (const [rank, { evalId, result }] of ranking.entries()) {
    decisions.set(evalId, { passedGate: true, reason: null, rankScore: rankScore(result), rank });
  }
  return { decisions, ranking: ranking.map(({ evaluation }) => evaluation) };
}

type CompletedResult = Parameters<typeof rankScore>[0];

/** Of several evaluations of one idea on one node the last completed one counts. */
function lastCompleted(evaluations: readonly EvaluationState[]): Map<string, EvaluationState> {
  const last = new Map<string, EvaluationState>();
  for (const evaluation of evaluations) {
    if (evaluation.outcome?.state !== "completed") continue;
    const before = last.get(pair(evaluation));
    if (before === undefined || before.wave < evaluation.wave) last.set(pair(evaluation), evaluation);
  }
  return last;
}

function pair({ task }: EvaluationState): string {
  return `${task.parent.nodeId} ${task.idea.path}`;
}

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
  | "gain_too_small"
  | "gain_not_sure"
  | "should_explore_false";

/** Null when it passes. Judged against its parent: what is worse in the primary metric, or scores no better, never does. */
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
  if (parentRelative.primaryRegressed ?? parentRelative.primaryDelta < 0) return "primary_regressed";
  if (!parentRelative.shouldExplore && parentRelative.grade !== "mixed") return "should_explore_false";
  // What does not score better than its parent is only a longer path.
  if ((finite(parentRelative.score) ?? parentRelative.primaryDelta) <= 0) return "gain_too_small";
  return null;
}

/** What a gain must be to count. */
export type GainRules = Pick<TreeShape, "leastGain"> & { readonly repeats: number };
const NO_RULES: GainRules = { leastGain: null, repeats: 1 };

/** Whether an evaluation that passes otherwise has gained enough, and surely. */
function gainGate({ race, outcome }: EvaluationState, { leastGain, repeats }: GainRules): GateReason | null {
  if (race === undefined && repeats > 1) return "gain_not_sure";
  if (race !== undefined) {
    if (race.verdict === "better") return null;
    return race.standing.gain < (leastGain ?? 0) ? "gain_too_small" : "gain_not_sure";
  }
  if (leastGain === null || outcome?.state !== "completed") return null;
  const { score } = outcome.result.parentRelative;
  return score !== null && score > 0 && score >= leastGain ? null : "gain_too_small";
}

export interface Ranked {
  readonly evalId: TreeId;
  readonly result: EvaluationResult;
}

/** Root-relative score, or else root-relative primary delta; null, the lowest, without either. */
export function rankScore({ rootRelative }: EvaluationResult): number | null {
  return finite(rootRelative.score) ?? finite(rootRelative.primaryDelta);
}

/** Best first: rank, then root-relative primary delta, then the lower id. Does not depend on the order given. */
export function ranked<Evaluation extends Ranked>(evaluations: readonly Evaluation[]): Evaluation[] {
  return evaluations.toSorted(
    (a, b) =>
      descending(rankScore(a.result), rankScore(b.result)) ||
      descending(a.result.rootRelative.primaryDelta, b.result.rootRelative.primaryDelta) ||
      compareIds(a.evalId, b.evalId),
  );
}

/**
 * Whether a later node's result is better than an earlier one's: rank, then root-relative primary delta. Of equals the
 * shorter path and the earlier node win, so nodes are compared in the order they were made; any beats none.
 */
export function isBetter(result: EvaluationResult | undefined, than: EvaluationResult | undefined): boolean {
  if (result === undefined || than === undefined) return result !== undefined;
  const order =
    descending(rankScore(result), rankScore(than)) ||
    descending(result.rootRelative.primaryDelta, than.rootRelative.primaryDelta);
  return order < 0;
}

function finite(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null;
}

/** Missing numbers come last. */
function descending(a: number | null, b: number | null): number {
  const [x, y] = [finite(a), finite(b)];
  if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
  return y - x;
}
