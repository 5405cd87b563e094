import type { KeptFile, TreeId } from "../contract.ts";
import type { StopReason } from "../search/tree-state.ts";
import type { ConversationMode } from "../settings.ts";

/** `manifest.json`, version 3: all of a run that people and scripts may want to read. Derived from the journal. */
export interface Manifest {
  readonly manifest_version: 3;
  readonly tree_run_id: string;
  readonly created_at: string | null;
  readonly updated_at: string | null;
  readonly run_config: Readonly<Record<string, unknown>>;
  readonly conversation_config: {
    readonly mode: ConversationMode | "none";
    readonly history_window_turns: number;
    readonly history_max_chars: number;
    readonly debug_log_jsonl_path: string;
  };
  readonly root: ManifestRoot;
  readonly state: ManifestState;
  readonly events: readonly ManifestEvent[];
  readonly conversations: Readonly<Record<string, ManifestConversation>>;
  readonly nodes: Readonly<Record<TreeId, ManifestNode>>;
  readonly evaluations: Readonly<Record<TreeId, ManifestEvaluation>>;
}

export interface ManifestRoot {
  readonly root_commit: string;
  readonly root_ref_name: string | null;
  readonly root_baseline_csv_path: string | null;
  readonly root_baseline_provenance: Provenance | null;
}

export interface Provenance {
  readonly source_path: string | null;
  readonly copied_to_path: string;
  readonly sha256: string;
}

export interface ManifestState {
  readonly current_depth: number;
  readonly frontier_node_ids: readonly TreeId[];
  readonly expanded_node_ids_by_depth: Readonly<Record<string, readonly TreeId[]>>;
  readonly completed_depths: readonly number[];
  readonly next_node_id: number;
  readonly next_eval_id: number;
  readonly task_plan_by_depth: Readonly<Record<string, readonly ManifestTask[]>>;
  readonly depth_progress_by_depth: Readonly<Record<string, DepthProgress>>;
  readonly deferred_cleanup: readonly string[];
  readonly stop_reason: StopReason | "interrupted" | "error" | null;
  readonly stop_reason_detail: string | null;
  readonly best_node_id: TreeId | null;
  readonly best_path: readonly TreeId[];
  readonly cost: { readonly money: number; readonly tokens: number };
  readonly digest: string | null;
}

export type TaskStateName = "queued" | "running" | "completed" | "failed";

export interface ManifestTask {
  readonly eval_id: TreeId;
  readonly parent_node_id: TreeId;
  readonly idea_path: string;
  readonly depth: number;
  readonly task_state: TaskStateName;
  readonly queued_at: string | null;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly worker_pid: number | null;
  readonly attempt: number;
  readonly node_commit: string;
  readonly node_baseline_csv_path: string;
}

/** queued + running + completed + failed = total_tasks. */
export interface DepthProgress {
  readonly depth: number;
  readonly total_tasks: number;
  readonly queued: number;
  readonly running: number;
  readonly completed: number;
  readonly failed: number;
  readonly done: number;
  readonly pending: number;
  readonly requeued: number;
  readonly attempts_total: number;
  readonly updated_at: string | null;
}

export interface ManifestEvent {
  readonly ts: string;
  readonly type: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** A conversation without its texts, which are in its files. */
export interface ManifestConversation {
  readonly conversation_id: string;
  readonly node_id: TreeId;
  readonly parent_conversation_id: string | null;
  readonly forked_from_turn_id: string | null;
  readonly latest_turn_id: string | null;
  readonly session_id: string | null;
  readonly turns: readonly {
    readonly turn_id: string;
    readonly operation_id: string;
    readonly idea_path: string | null;
  }[];
  readonly state_path: string;
  readonly summary_path: string;
  readonly log_path: string;
}

export interface ManifestNode {
  readonly node_id: TreeId;
  readonly parent_node_id: TreeId | null;
  readonly depth: number;
  readonly commit: string;
  readonly ref_name: string;
  readonly worktree_path: string | null;
  readonly baseline_results_csv_path: string;
  readonly node_ideas_dir: string;
  readonly idea_chain: readonly string[];
  readonly generated_idea_files: readonly string[];
  readonly context_ideas_dirs: readonly string[];
  readonly context_idea_files: readonly KeptFile[];
  readonly refused_ideas: readonly { readonly name: string; readonly reason: string }[];
  readonly dedupe: {
    readonly policy: { readonly scope: string; readonly normalization: string };
    readonly skipped: readonly { readonly path: string; readonly hash: string; readonly reason: string }[];
  };
  /** Null for a node whose ideas nobody was asked for, or not yet. */
  readonly conversation_id: string | null;
  /** The parent's turn after which it goes on. */
  readonly expansion_seed_turn_id: string | null;
  readonly latest_conversation_turn_id: string | null;
  readonly artifacts: {
    readonly promoted_from_eval_id: TreeId | null;
    readonly baseline_provenance: Provenance;
  };
  readonly root_rank: number | null;
  readonly created_at: string | null;
  /** `provisional`: the best of a depth that was stopped, for reports; nothing is grown from it, and resuming forgets it. */
  readonly status: "ready" | "provisional";
}

export interface ManifestEvaluation extends ManifestTask {
  readonly status: TaskStateName;
  readonly idea_sha256: string;
  readonly idea_generation_conversation_id: string | null;
  readonly idea_generation_turn_id: string | null;
  readonly rerun: number;
  readonly executions: number;
  /** Logs of its steps, reviews and diffs. */
  readonly experiment_dir: string;
  readonly eval_output_root: string;
  readonly candidate_worktree_path: string;
  readonly candidate_ref_name: string;
  readonly candidate_commit: string | null;
  readonly candidate_results_csv_path: string | null;
  readonly candidate_results_provenance: Provenance | null;
  readonly parent_baseline_provenance: Provenance;
  readonly error: string | null;
  readonly error_payload: ErrorPayload | null;
  readonly strict_completeness: {
    readonly expected_count: number | null;
    readonly observed_unique_config_ids: number;
    readonly ok_count: number;
    readonly error_count: number;
    readonly is_complete: boolean;
  } | null;
  readonly metrics: Readonly<Record<string, number>>;
  readonly parent_relative: ManifestComparison | null;
  readonly root_relative: ManifestComparison | null;
  readonly review_rounds: readonly {
    readonly round: number;
    readonly verdict: string;
    readonly issues: readonly string[];
  }[];
  readonly steps: readonly { readonly step: string; readonly round: number; readonly exit_code: number }[];
  readonly cost: { readonly money: number; readonly tokens: number } | null;
  readonly decision: ManifestDecision;
}

export interface ErrorPayload {
  readonly error_type: string;
  readonly message: string;
  readonly attempt: number;
  readonly max_retries: number;
  readonly will_retry: boolean;
  readonly timed_out: boolean;
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly step: string | null;
  readonly log_tail: readonly string[];
}

export interface ManifestComparison {
  readonly recommendation_summary: {
    readonly should_explore: boolean;
    readonly grade: string;
    readonly score: number | null;
    readonly reasons: readonly string[];
  };
  readonly primary_delta: number | null;
  readonly baseline_rows_used: number | null;
  readonly candidate_rows_used: number | null;
  readonly score: number | null;
}

export interface ManifestDecision {
  readonly gate_basis: "parent_relative";
  readonly rank_basis: "root_relative";
  /** Null until the depth, or a stop, is judged. */
  readonly passed_gate: boolean | null;
  readonly gate_reason: string | null;
  readonly rank_score: number | null;
  readonly rank: number | null;
  readonly primary_regressed: boolean | null;
  /**
   * When the run stopped before the depth was whole: `provisional` with a node for reports, `would_be_selected` without.
   */
  readonly promotion_reason: "selected" | "provisional" | "would_be_selected" | null;
  readonly promoted_to_node_id: TreeId | null;
  readonly promoted_at: string | null;
  readonly promotion_error: string | null;
}
