import { counted, formatCount } from "@coppice/engine/figures";
import type { Cost, StepCosts } from "../contract.ts";
import type { Manifest, ManifestEvaluation, ManifestNode } from "../manifest/manifest.ts";
import { roundedText } from "../manifest/promoted-because.ts";
import type { Noise } from "../search/root-measured.ts";
import { compareIds } from "../search/tree-state.ts";

/** Nodes by depth, then id; ids as numbers. */
export function nodesInOrder({ nodes }: Manifest): ManifestNode[] {
  return Object.values(nodes).sort((a, b) => a.depth - b.depth || compareIds(a.node_id, b.node_id));
}

export function evaluationsInOrder({ evaluations }: Manifest): ManifestEvaluation[] {
  return Object.values(evaluations).sort((a, b) => compareIds(a.eval_id, b.eval_id));
}

/** How many evaluations have ended, of how many that are planned when some have not, and how many depths are whole. */
export function extentText({ evaluations, state }: Manifest): string {
  const all = Object.values(evaluations);
  const ended = all.filter(
    ({ status, executions }) => status === "completed" || (status === "failed" && executions > 0),
  );
  const of = ended.length === all.length ? "" : `${ended.length} of `;
  return `${of}${counted(all.length, "evaluation")}, ${counted(state.current_depth, "depth")} complete`;
}

/** `pass`, `fail:<reason>`, or nothing while it is not judged. */
export function gateText({ decision }: ManifestEvaluation): string {
  if (decision.passed_gate === null) return "";
  return decision.passed_gate ? "pass" : `fail:${decision.gate_reason ?? ""}`;
}

/** The node an evaluation was promoted to, or what it would have been. */
export function promotedText({ decision }: ManifestEvaluation): string {
  const { promoted_to_node_id: node, promotion_reason: reason } = decision;
  if (node === null) return reason ?? "";
  return reason === "provisional" ? `${node} (provisional)` : node;
}

/** Money and tokens as people read them; nothing where nothing was spent. */
export function costText({ money, tokens }: Cost): string {
  const parts = [
    ...(money === 0 ? [] : [`money ${money.toFixed(money < 1 ? 4 : 2)}`]),
    ...(tokens === 0 ? [] : [`${formatCount(tokens)} tokens`]),
  ];
  return parts.join(", ");
}

/** `implement money 1.20, 3,400 tokens; review money 0.30`; nothing where nothing was spent. */
export function stepCostText(costs: StepCosts): string {
  return Object.entries(costs)
    .map(([step, cost]) => `${step} ${costText(cost)}`)
    .join("; ");
}

/** What a run has spent so far, and on what; nothing where nothing was. */
export function spentText({ money, tokens, byStep }: Cost & { readonly byStep: StepCosts }): string {
  const all = costText({ money, tokens });
  return all === "" ? "" : `spent: ${all} (${stepCostText(byStep)})`;
}

/** `ms came out 1,269, then 1,301`; with all digits where four do not tell them apart. */
export function noiseText({ column, first, again }: Noise): string {
  const text = roundedText(first) === roundedText(again) ? String : roundedText;
  return `${column} came out ${text(first)}, then ${text(again)}`;
}

/** A score as people read it: four digits, and no zero below zero. */
export function scoreText(score: number): string {
  return (Math.round(score * 10_000) / 10_000 + 0).toFixed(4);
}

/** The last part of a path. */
export function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
