import type { EvaluationResult, TreeId } from "../contract.ts";
import { MACHINE_TROUBLE } from "../evaluate/machine-trouble.ts";
import { knownOutcome, type SessionEnd, type TreeJournal } from "../run/tree-journal.ts";
import { shapeAt } from "../run/tree-settings.ts";
import { type GainRules, isBetter, judge, rankScore } from "../search/barrier.ts";
import { branch } from "../search/idea-choice.ts";
import type { TreeSearch } from "../search/tree-search.ts";
import {
  type DepthState,
  type EvaluationState,
  type NodeState,
  newNode,
  type StopReason,
  treeId,
} from "../search/tree-state.ts";
import type { TreeSettings } from "../settings.ts";
import { BUDGET_SPENT } from "../steps/ledger.ts";

/** Why the last session ended, by name; null while it runs. */
export type StopName = StopReason | "interrupted" | "error" | null;

/** The tree as reports show it: what was promoted, and what a stop has left in first place. */
export interface ReportedTree {
  readonly nodes: ReadonlyMap<TreeId, NodeState>;
  /** What the provisional ones among them came to. */
  readonly provisional: ReadonlyMap<TreeId, EvaluationResult>;
  /** The best node's ancestry, root first. */
  readonly bestPath: readonly TreeId[];
  /** Rank of a node against the root; null for the root itself. */
  readonly scoreOf: (node: NodeState) => number | null;
}

/** Stops that are meant: what they leave unfinished is reported as if it were all there will be. */
export const reportingStops: readonly StopName[] = [
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
export function reportedTree(
  search: TreeSearch,
  stopReason: StopName,
  settings: TreeSettings,
  last: JudgedDepth | undefined,
): ReportedTree {
  const nodes = new Map(search.nodes);
  const provisional = new Map<TreeId, EvaluationResult>();
  const resultOf = (node: NodeState) => provisional.get(node.nodeId) ?? search.resultOf(node);
  let { best } = search;
  const reports = settings.work.promoteOnStop && reportingStops.includes(stopReason);
  for (const { task, outcome } of reports && last !== undefined ? winners(last, settings) : []) {
    if (outcome?.state !== "completed") continue;
    const { result } = outcome;
    const node = newNode({
      nodeId: treeId(nodes.size),
      parentNodeId: task.parent.nodeId,
      depth: task.depth + 1,
      commit: result.commit,
      baseline: result.results,
      evalId: task.evalId,
      madeBy: task.idea,
    });
    nodes.set(node.nodeId, node);
    provisional.set(node.nodeId, result);
    if (best === undefined || isBetter(result, resultOf(best))) best = node;
  }
  const path = best === undefined ? [] : branch(best, nodes).reverse();
  const scoreOf = (node: NodeState) => {
    const result = resultOf(node);
    return result === undefined ? null : rankScore(result);
  };
  return { nodes, provisional, bestPath: path.map(({ nodeId }) => nodeId), scoreOf };
}

/** The evaluations of a depth that would be promoted as it stands, best first; none when promoting has begun. */
function winners(depth: JudgedDepth, settings: TreeSettings): EvaluationState[] {
  if (depth.complete || depth.promotions.length > 0) return [];
  const { beamWidth } = shapeAt(settings, depth.depth);
  const rankOf = ({ task }: EvaluationState) => depth.decisions.get(task.evalId)?.rank ?? Number.POSITIVE_INFINITY;
  return depth.evaluations
    .filter((evaluation) => rankOf(evaluation) < beamWidth)
    .toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** A depth with what the journal knows beyond the search. */
export type JudgedDepth = Omit<DepthState, "evaluations"> & { readonly evaluations: readonly EvaluationState[] };

/** Judges a depth as far as it goes when the run has ended; while it is under way, only its barrier does. */
export function judgedDepth(depth: DepthState, journal: TreeJournal, ended: boolean, rules: GainRules): JudgedDepth {
  if (depth.decisions.size > 0) return depth;
  const evaluations = depth.evaluations.map((evaluation) => {
    const outcome = knownOutcome(evaluation, journal);
    return outcome === evaluation.outcome ? evaluation : { ...evaluation, outcome };
  });
  return {
    ...depth,
    evaluations,
    decisions: ended ? judge(evaluations, rules).decisions : new Map(),
  };
}

/** How a session that was not done says why: a reason of ours, a colon, and the rest. */
export function stopMessage(reason: StopReason, detail: string): string {
  return `${reason}: ${detail}`;
}

const ours: readonly StopReason[] = ["max_wall_time_reached", "max_cost_reached"];

/** How the engine says that a step was not started which would have broken the budget. */
const A_STEP_STOPPED = new RegExp(`^.* failed: ${BUDGET_SPENT}: (?<why>.*)$`, "s");

/** Why the last session ended, from what the journal says of it; null while it runs. */
export function stopOf(
  end: SessionEnd | undefined,
  searched: StopReason | undefined,
): { readonly stop_reason: StopName; readonly stop_reason_detail: string | null } {
  if (end === undefined) return { stop_reason: null, stop_reason_detail: null };
  switch (end.event) {
    case "finished":
      return { stop_reason: searched ?? null, stop_reason_detail: null };
    case "interrupted":
    case "error":
      return { stop_reason: end.event, stop_reason_detail: end.message };
    case "stopped":
      return { stop_reason: stoppedBy(end.message), stop_reason_detail: end.message.replace(A_STEP_STOPPED, "$<why>") };
    default:
      return end satisfies never;
  }
}

function stoppedBy(message: string): StopName {
  const reason = ours.find((name) => message.startsWith(`${name}: `));
  if (reason !== undefined) return reason;
  if (message.includes(`failed: ${MACHINE_TROUBLE}: `)) return "error";
  if (A_STEP_STOPPED.test(message)) return "max_cost_reached";
  if (/\(key "ideas\//.test(message)) return "idea_generation_failed";
  if (/\(key "eval\//.test(message)) return "strict_depth_failure";
  return "error";
}
