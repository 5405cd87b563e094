import type { AcceptedIdea, BranchContext, EvaluationResult, Metrics, TreeId, TriedIdea } from "../contract.ts";
import { branch } from "./idea-choice.ts";
import { completedResult, type Decision, type EvaluationState, type NodeState } from "./tree-state.ts";

/** What a generator is told of earlier attempts at most; nearest ancestors first. */
const MOST_TRIED = 200;

/** What the branch of a node has been through, for whoever thinks of its next ideas. */
export function branchContext(
  node: NodeState,
  nodes: ReadonlyMap<TreeId, NodeState>,
  evaluationsOf: (node: TreeId) => readonly EvaluationState[],
  decisionOf: (evaluation: TreeId) => Decision | undefined,
  rootMetrics: Metrics,
): BranchContext {
  const path = branch(node, nodes);
  const chain: AcceptedIdea[] = [];
  const tried: TriedIdea[] = [];
  for (const [index, owner] of path.entries()) {
    const child = path[index - 1];
    for (const evaluation of evaluationsOf(owner.nodeId)) {
      const { task, outcome } = evaluation;
      const result = completedResult(evaluation);
      if (child !== undefined && task.evalId === child.evalId)
        chain.unshift(accepted(child.nodeId, evaluation, result));
      else if (tried.length < MOST_TRIED) {
        // A node that is asked for other ideas has evaluations that no barrier has judged yet.
        const judged = decisionOf(task.evalId)?.reason ?? (child === undefined ? "not_judged_yet" : "outranked");
        const reason = outcome?.state === "failed" ? outcome.type : judged;
        const { path, sha256 } = task.idea;
        const parentScore = result?.parentRelative.score ?? null;
        tried.push({ parentNodeId: owner.nodeId, evalId: task.evalId, idea: { path, sha256 }, reason, parentScore });
      }
    }
  }
  return { rootMetrics, chain, tried };
}

function accepted(nodeId: TreeId, { task }: EvaluationState, result: EvaluationResult | undefined): AcceptedIdea {
  const { path, sha256 } = task.idea;
  return {
    nodeId,
    evalId: task.evalId,
    idea: { path, sha256 },
    rootScore: result?.rootRelative.score ?? null,
    primaryDelta: result?.rootRelative.primaryDelta ?? null,
  };
}
