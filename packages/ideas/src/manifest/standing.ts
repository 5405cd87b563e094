import type { EvaluationResult, TreeId } from "../contract.ts";
import { branch } from "../plan/known-ideas.ts";
import { treeId } from "../plan/tree-id.ts";
import { shapeAt, type TreePlan } from "../run/tree-plan.ts";
import { isBetter, rankScore } from "../search/ranking.ts";
import type { TreeSearch } from "../search/tree-search.ts";
import type { EvaluationState, NodeState, StopReason } from "../search/tree-state.ts";
import type { JudgedDepth } from "./judged-depth.ts";
import type { ManifestState } from "./manifest.ts";

/** The tree as reports show it: what was promoted, and what a stop has left in first place. */
export interface Standing {
  readonly nodes: ReadonlyMap<TreeId, NodeState>;
  /** What the provisional ones among them came to. */
  readonly provisional: ReadonlyMap<TreeId, EvaluationResult>;
  /** The best node's ancestry, root first. */
  readonly bestPath: readonly TreeId[];
  /** Rank of a node against the root; null for the root itself. */
  readonly scoreOf: (node: NodeState) => number | null;
}

/** Stops that are meant: what they leave unfinished is reported as if it were all there will be. */
export const reportingStops: readonly ManifestState["stop_reason"][] = [
  "max_total_idea_evals_reached",
  "max_wall_time_reached",
  "max_cost_reached",
  "strict_depth_failure",
] satisfies StopReason[];

/**
 * The nodes of a search and, after a stop, those its last depth would have if nothing else came: with the ids they would
 * get, at their candidates' commits. No journal and no frontier knows these, so that a run that goes on is what it would
 * have been without the stop.
 */
export function standingOf(
  search: TreeSearch,
  stopReason: ManifestState["stop_reason"],
  plan: TreePlan,
  last: JudgedDepth | undefined,
): Standing {
  const nodes = new Map(search.nodes);
  const provisional = new Map<TreeId, EvaluationResult>();
  const resultOf = (node: NodeState) => provisional.get(node.nodeId) ?? search.resultOf(node);
  let { best } = search;
  const reports = plan.work.promoteOnStop && reportingStops.includes(stopReason);
  for (const { task, outcome } of reports && last !== undefined ? winners(last, plan) : []) {
    if (outcome?.state !== "completed") continue;
    const { result } = outcome;
    const node: NodeState = {
      nodeId: treeId(nodes.size),
      parentNodeId: task.parent.nodeId,
      depth: task.depth + 1,
      commit: result.commit,
      baseline: result.results,
      evalId: task.evalId,
      madeBy: task.idea,
      ideas: [],
      listed: undefined,
      skipped: [],
    };
    nodes.set(node.nodeId, node);
    provisional.set(node.nodeId, result);
    if (best === undefined || isBetter(result, resultOf(best), node.nodeId, best.nodeId)) best = node;
  }
  const path = best === undefined ? [] : branch(best, nodes).reverse();
  const scoreOf = (node: NodeState) => {
    const result = resultOf(node);
    return result === undefined ? null : rankScore(result);
  };
  return { nodes, provisional, bestPath: path.map(({ nodeId }) => nodeId), scoreOf };
}

/** The evaluations of a depth that would be promoted as it stands, best first; none when promoting has begun. */
function winners(depth: JudgedDepth, plan: TreePlan): EvaluationState[] {
  if (depth.complete || depth.promotions.length > 0) return [];
  const { beamWidth } = shapeAt(plan, depth.depth);
  const rankOf = ({ task }: EvaluationState) => depth.decisions.get(task.evalId)?.rank ?? Number.POSITIVE_INFINITY;
  return depth.evaluations
    .filter((evaluation) => rankOf(evaluation) < beamWidth)
    .toSorted((a, b) => rankOf(a) - rankOf(b));
}
