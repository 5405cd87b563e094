import type { EvaluationResult, EvaluationTask, Idea, IdeasResult, Metrics, TreeId, TreeNode } from "../contract.ts";
import { mergeReports } from "../conversation/conversation.ts";
import type { Standing, Verdict } from "../score/race.ts";
import { addCost } from "../steps/reported-cost.ts";
import type { GateReason } from "./barrier.ts";
import type { IdeaOwner, SkippedIdea } from "./idea-choice.ts";

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

/** A node whose ideas are not listed yet. */
export function newNode(made: Omit<NodeState, "ideas" | "listed" | "skipped">): NodeState {
  return { ...made, ideas: [], listed: undefined, skipped: [] };
}

/** What tasks are told of a node. */
export function treeNode({ nodeId, depth, commit, baseline }: NodeState): TreeNode {
  return { nodeId, depth, commit, baseline };
}

/** An evaluation from the moment its id is given. */
export interface EvaluationState {
  readonly task: EvaluationTask;
  readonly key: string;
  /** Which time the idea is evaluated on this node; 0 unless it was asked for again. */
  readonly wave: number;
  outcome: EvaluationOutcome | undefined;
  /** How it stands against its parent after repeats; undefined for a single measurement. */
  race?: RaceState;
}

/** What repeats say of an evaluation. */
export interface RaceState {
  readonly standing: Standing;
  readonly verdict: Verdict;
  /** Which test compared them: repeats that are the same for both are paired. */
  readonly test: "paired" | "welch";
  /** Scores against the parent, one per repeat. */
  readonly scores: readonly number[];
  /** Repeats that failed, and so have no score. */
  readonly failed: number;
  /** What its parent came to beside it, in the mean; null where a command compares. */
  readonly parent: Metrics | null;
}

/** How an idea's evaluation ended. */
export type EvaluationOutcome =
  | { readonly state: "completed"; readonly result: EvaluationResult }
  | { readonly state: "failed"; readonly type: string; readonly message: string };

/** What an evaluation came to; undefined while it has not, or when it failed. */
export function completedResult({ outcome }: Pick<EvaluationState, "outcome">): EvaluationResult | undefined {
  return outcome?.state === "completed" ? outcome.result : undefined;
}

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

/** One depth of a tree: what is built upon, what is tried, what was decided. */
export interface DepthState {
  readonly depth: number;
  readonly frontier: readonly NodeState[];
  /** In the order of their ids: all of them, before the first is started. */
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

/** What the tree came to. */
export interface TreeResult {
  readonly stopReason: StopReason;
  /** Depths that have passed their barrier. */
  readonly currentDepth: number;
  readonly frontier: readonly TreeId[];
  readonly evaluations: number;
  readonly promotions: readonly Promotion[];
  /** The best node's ancestry, root first. */
  readonly bestPath: readonly TreeId[];
  readonly bestScore: number | null;
}

export interface Promotion {
  readonly depth: number;
  readonly nodeId: TreeId;
  readonly parentNodeId: TreeId;
  readonly evalId: TreeId;
  readonly idea: string;
  readonly commit: string;
}

/** How a node came to be; nothing for the root. */
export function promotionOf(node: NodeState): Promotion[] {
  const { nodeId, parentNodeId, evalId, madeBy, commit, depth } = node;
  if (parentNodeId === null || evalId === null || madeBy === null) return [];
  return [{ depth: depth - 1, nodeId, parentNodeId, evalId, idea: madeBy.name, commit }];
}

/** A node's ideas after it was asked for others. */
export function mergeListings(before: IdeasResult, added: IdeasResult): IdeasResult {
  return {
    kind: "ideas",
    ideas: [...before.ideas, ...added.ideas],
    refused: [...before.refused, ...added.refused],
    conversation: mergeReports(before.conversation, added.conversation),
    cost: addCost(before.cost, added.cost),
  };
}

export const ROOT_ID: TreeId = "0000";

/** The id of the n-th node or evaluation: four digits, more when they are needed. */
export function treeId(number: number): TreeId {
  return String(number).padStart(4, "0");
}

/** Ids compare as numbers: `10000` comes after `9999`. */
export function compareIds(a: TreeId, b: TreeId): number {
  return Number(a) - Number(b);
}
