import { failureType } from "@coppice/engine";
import type { Comparison, EvaluationResult, FailureData, KeptFile } from "../contract.ts";
import { withoutIds } from "../results/results-table.ts";
import type { TaskTrack } from "../run/task-track.ts";
import type { Spent, TreeJournal } from "../run/tree-journal.ts";
import { shapeAt } from "../run/tree-settings.ts";
import { candidateRef, layout } from "../run-layout.ts";
import { taskKey } from "../search/task-key.ts";
import type { EvaluationState, RaceState } from "../search/tree-state.ts";
import type { TreeConfig, TreeSettings } from "../settings.ts";
import type { IdeaTurn } from "./conversation-record.ts";
import { isoTime } from "./json-text.ts";
import type { ManifestDecision } from "./manifest.ts";
import { promotedBecause } from "./promoted-because.ts";
import type { JudgedDepth, ReportedTree } from "./reported-tree.ts";

/** A task of a depth, as the journal has it. `skipped` says that a strict stop kept it from being started. */
export function taskRecord({ task }: EvaluationState, track: TaskTrack | undefined, skipped: boolean) {
  return {
    eval_id: task.evalId,
    parent_node_id: task.parent.nodeId,
    idea_path: task.idea.path,
    depth: task.depth,
    task_state: skipped ? "failed" : (track?.state ?? "queued"),
    queued_at: isoTime(track?.queuedAt),
    started_at: isoTime(track?.startedAt),
    finished_at: isoTime(track?.finishedAt),
    worker_pid: track?.workerPid ?? null,
    attempt: track?.attempt ?? 0,
    node_commit: task.parent.commit,
    node_baseline_csv_path: task.parent.baseline.path,
  } as const;
}

/** The gain in score against the parent, its standard error, and the test that compared them. */
function repeatsRecord({ standing, verdict, test, scores, failed, parent }: RaceState, config: TreeConfig) {
  const { gain, error, betterRepeats, repeats } = standing;
  const parentMetrics = parent === null ? null : withoutIds(parent, config);
  const of = { count: repeats, better: betterRepeats, failed, parent_metrics: parentMetrics } as const;
  return { ...of, gain, standard_error: error, test, verdict, scores } as const;
}

export interface EvaluationFacts {
  readonly treeRunId: string;
  readonly maxRetries: number;
  readonly config: TreeConfig;
  readonly evaluation: EvaluationState;
  readonly result: EvaluationResult | undefined;
  readonly track: TaskTrack | undefined;
  readonly skipped: boolean;
  readonly spent: Spent | undefined;
  /** Where its idea was thought of; undefined for an idea that nobody was asked for. */
  readonly turn: IdeaTurn | undefined;
  readonly decision: ManifestDecision;
}

export function evaluationRecord(facts: EvaluationFacts) {
  const { treeRunId, evaluation, result, track, skipped, decision } = facts;
  const { task, wave } = evaluation;
  const base = taskRecord(evaluation, track, skipped);
  const payload = errorPayload(track, skipped, facts.maxRetries);
  return {
    ...base,
    status: base.task_state,
    idea_sha256: task.idea.sha256,
    idea_generation_conversation_id: facts.turn?.conversationId ?? null,
    idea_generation_turn_id: facts.turn?.turnId ?? null,
    rerun: wave,
    executions: track?.executions ?? 0,
    experiment_dir: layout.evaluationLogs(task.evalId),
    eval_output_root: layout.evaluation(task.evalId),
    candidate_worktree_path: layout.candidateWorktree(task.evalId),
    candidate_ref_name: candidateRef(treeRunId, task.evalId),
    candidate_commit: result?.commit ?? null,
    candidate_results_csv_path: result?.results.path ?? null,
    candidate_results_provenance: result === undefined ? null : provenance(result.results, null),
    parent_baseline_provenance: provenance(task.parent.baseline, null),
    error: payload === null ? null : `${payload.error_type}: ${payload.message}`,
    error_payload: payload,
    strict_completeness: result === undefined ? null : completeness(result),
    metrics: withoutIds(result?.metrics ?? {}, facts.config),
    parent_relative: result === undefined ? null : comparison(result.parentRelative),
    root_relative: result === undefined ? null : comparison(result.rootRelative),
    review_rounds: result?.rounds ?? failureData(track).rounds ?? [],
    steps: (result?.steps ?? []).map(({ step, round, exitCode }) => ({ step, round, exit_code: exitCode })),
    /** With failed attempts and repeats; null before anything was spent or done. */
    cost: facts.spent?.cost ?? null,
    cost_by_step: facts.spent?.costs ?? {},
    /** How it stands against its parent after repeats; null for a single measurement. */
    repeats: evaluation.race === undefined ? null : repeatsRecord(evaluation.race, facts.config),
    because: result === undefined ? null : promotedBecause(evaluation, result, facts.config),
    decision,
  } as const;
}

export function provenance({ path, sha256 }: KeptFile, source: string | null) {
  return { source_path: source, copied_to_path: path, sha256 } as const;
}

function completeness({ completeness }: EvaluationResult) {
  const { expected, uniqueIds, ok, errors, complete } = completeness;
  return {
    expected_count: expected,
    observed_unique_config_ids: uniqueIds,
    ok_count: ok,
    error_count: errors,
    is_complete: complete,
  } as const;
}

function comparison(compared: Comparison) {
  const { shouldExplore, grade, reasons, primaryDelta, baselineRows, candidateRows } = compared;
  const score = finite(compared.score);
  return {
    recommendation_summary: { should_explore: shouldExplore, grade, score, reasons },
    primary_delta: finite(primaryDelta),
    baseline_rows_used: baselineRows,
    candidate_rows_used: candidateRows,
    score,
  } as const;
}

/** JSON knows no infinity: a number is finite or null. */
export function finite(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null;
}

/** Why an evaluation failed, or that a strict stop kept it from being started; null for all others. */
function errorPayload(track: TaskTrack | undefined, skipped: boolean, maxRetries: number) {
  const error = skipped ? SKIPPED : track?.error;
  if (error == null) return null;
  const { type, message, attempt, willRetry, detail } = error;
  const data = skipped ? {} : failureData(track);
  const timedOut = detail.timedOut || type === failureType.ownTimeout;
  return {
    error_type: timedOut ? failureType.ownTimeout : type,
    message,
    attempt,
    max_retries: maxRetries,
    will_retry: willRetry,
    timed_out: timedOut,
    exit_code: data.exitCode ?? detail.exitCode ?? null,
    signal: data.signal ?? detail.signal ?? null,
    step: data.step ?? null,
    log_tail: data.logTail ?? detail.logTail ?? [],
  } as const;
}

const SKIPPED: NonNullable<TaskTrack["error"]> = {
  type: "SkippedAfterFailure",
  message: "not started: another evaluation of the depth failed and the run is strict",
  attempt: 0,
  willRetry: false,
  detail: { timedOut: false, workerLost: false },
};

/** What the last failure of an evaluation came with. */
function failureData(track: TaskTrack | undefined): Partial<FailureData> {
  // Cast: evaluations attach what a step came to; anything else has none of these fields.
  return (track?.error?.detail.data ?? {}) as Partial<FailureData>;
}

/** What the barrier, or a stop, says of an evaluation, and which node came of it. */
export function decisionRecord(
  { task, outcome }: EvaluationState,
  depth: JudgedDepth,
  settings: TreeSettings,
  journal: TreeJournal,
  { nodes, provisional }: ReportedTree,
) {
  const { evalId } = task;
  const decision = depth.decisions.get(evalId);
  const promoted = depth.promotions.find((promotion) => promotion.evalId === evalId && promotion.error === null);
  const failed = depth.promotions.find((promotion) => promotion.evalId === evalId && promotion.error !== null);
  const reported = [...provisional.keys()].find((nodeId) => nodes.get(nodeId)?.evalId === evalId);
  const within = decision?.rank != null && decision.rank < shapeAt(settings, depth.depth).beamWidth;
  const open = !depth.complete && depth.promotions.length === 0;
  const madeAt =
    promoted === undefined
      ? undefined
      : journal.tasks.get(taskKey.promotion(depth.depth, promoted.nodeId, evalId))?.finishedAt;
  const delta = outcome?.state === "completed" ? outcome.result.parentRelative.primaryDelta : null;
  return {
    gate_basis: "parent_relative",
    rank_basis: "root_relative",
    passed_gate: decision?.passedGate ?? null,
    gate_reason: decision?.reason ?? null,
    rank_score: finite(decision?.rankScore ?? null),
    rank: decision?.rank ?? null,
    primary_regressed: delta === null ? null : delta < 0,
    promotion_reason:
      promoted !== undefined
        ? "selected"
        : reported !== undefined
          ? "provisional"
          : within && open
            ? "would_be_selected"
            : null,
    promoted_to_node_id: promoted?.nodeId ?? reported ?? null,
    promoted_at: isoTime(reported === undefined ? madeAt : journal.end?.at),
    promotion_error: failed?.error ?? null,
  } as const;
}
