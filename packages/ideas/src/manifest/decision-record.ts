import type { TreeJournal } from "../run/tree-journal.ts";
import { shapeAt, type TreePlan } from "../run/tree-plan.ts";
import { taskKey } from "../search/task-key.ts";
import type { EvaluationState } from "../search/tree-state.ts";
import { finite } from "./evaluation-record.ts";
import type { JudgedDepth } from "./judged-depth.ts";
import type { ManifestDecision } from "./manifest.ts";
import type { Standing } from "./standing.ts";
import { isoTime } from "./time.ts";

/** What the barrier, or a stop, says of an evaluation, and which node came of it. */
export function decisionRecord(
  { task, outcome }: EvaluationState,
  depth: JudgedDepth,
  plan: TreePlan,
  journal: TreeJournal,
  { nodes, provisional }: Standing,
): ManifestDecision {
  const { evalId } = task;
  const decision = depth.decisions.get(evalId);
  const promoted = depth.promotions.find((promotion) => promotion.evalId === evalId && promotion.error === null);
  const failed = depth.promotions.find((promotion) => promotion.evalId === evalId && promotion.error !== null);
  const reported = [...provisional.keys()].find((nodeId) => nodes.get(nodeId)?.evalId === evalId);
  const within = decision?.rank != null && decision.rank < shapeAt(plan, depth.depth).beamWidth;
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
  };
}
