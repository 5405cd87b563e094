import type { TreeId } from "../contract.ts";
import { gate } from "./gate.ts";
import { ranked, rankScore } from "./ranking.ts";
import type { Decision, EvaluationState } from "./tree-state.ts";

export interface Barrier {
  readonly decisions: ReadonlyMap<TreeId, Decision>;
  /** Those that passed, best first. */
  readonly ranking: readonly EvaluationState[];
}

/**
 * Gates and ranks a depth. A pure function of what its evaluations came to: of which finished when, or in which order
 * they are given, nothing is seen. What has no outcome (a run that was stopped) does not pass.
 */
export function judge(evaluations: readonly EvaluationState[]): Barrier {
  const decisions = new Map<TreeId, Decision>();
  const passed: { evalId: TreeId; result: CompletedResult; evaluation: EvaluationState }[] = [];
  const last = lastCompleted(evaluations);
  for (const evaluation of evaluations) {
    const { evalId } = evaluation.task;
    const result = evaluation.outcome?.state === "completed" ? evaluation.outcome.result : undefined;
    const superseded = result !== undefined && last.get(pair(evaluation)) !== evaluation;
    const reason = superseded ? "superseded" : gate(result);
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
