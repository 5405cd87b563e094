import type { EvaluationResult, EvaluationTask, Idea, IdeasResult, TreeId, TreeNode } from "../contract.ts";
import type { IdeaOwner } from "../plan/known-ideas.ts";
import type { SkippedIdea } from "../plan/select-ideas.ts";
import type { GateReason } from "./gate.ts";

/** Why a tree is not grown further. */
export type StopReason =
  | "max_depth_reached"
  | "max_total_idea_evals_reached"
  | "empty_frontier"
  | "one_depth"
  // These stop the run outside of the search; it can be resumed as it was.
  | "strict_depth_failure"
  | "idea_generation_failed"
  | "max_wall_time_reached"
  | "max_cost_reached";

/** A node as the search knows it. */
export interface NodeState extends TreeNode, IdeaOwner {
  /** The evaluation it was promoted from; null for the root. */
  readonly evalId: TreeId | null;
  readonly madeBy: Idea | null;
  ideas: readonly Idea[];
  /** What was listed; undefined until the node is expanded. */
  listed: IdeasResult | undefined;
  skipped: readonly SkippedIdea[];
}

/** An evaluation from the moment it is planned. */
export interface EvaluationState {
  readonly task: EvaluationTask;
  readonly key: string;
  /** Which time the idea is evaluated on this node; 0 unless it was asked for again. */
  readonly wave: number;
  outcome: EvaluationOutcome | undefined;
}

export type EvaluationOutcome =
  | { readonly state: "completed"; readonly result: EvaluationResult }
  | { readonly state: "failed"; readonly type: string; readonly message: string };

/** What a depth's barrier says of an evaluation. */
export interface Decision {
  readonly passedGate: boolean;
  readonly reason: GateReason | "superseded" | null;
  readonly rankScore: number | null;
  /** From 0; null when it did not pass. */
  readonly rank: number | null;
}

/** An attempt to make a node of a ranked evaluation. */
export interface PromotionState {
  readonly evalId: TreeId;
  readonly nodeId: TreeId;
  readonly error: string | null;
}

export interface DepthState {
  readonly depth: number;
  readonly frontier: readonly NodeState[];
  /** In the order of their ids: the whole plan, before the first is started. */
  readonly evaluations: EvaluationState[];
  /** How many of them have an outcome. */
  told: number;
  /** Filled at the barrier. */
  decisions: ReadonlyMap<TreeId, Decision>;
  readonly promotions: PromotionState[];
  /** Candidates that could not be removed. */
  deferred: readonly string[];
  complete: boolean;
}
