import { evaluationsInOrder, type Manifest, type ManifestEvaluation } from "@coppice/ideas";

/** What would let a run that has spent a budget go on: the flag, and what it says now. */
export interface SpentBudget {
  readonly flag: string;
  readonly limit: number;
}

/** The budgets that ended a run; none when something else did. */
export function spentBudgets({ run_config: given, state }: Manifest): SpentBudget[] {
  const limit = (name: string) => (typeof given[name] === "number" ? given[name] : Number.POSITIVE_INFINITY);
  const budget = (name: string) => ({ flag: `--${name.replaceAll("_", "-")}`, limit: limit(name) });
  switch (state.stop_reason) {
    case "max_total_idea_evals_reached":
      return [budget("max_total_idea_evals")];
    case "max_wall_time_reached":
      return [budget("max_wall_seconds")];
    case "max_cost_reached":
      return [
        ...(state.cost.money >= limit("max_money") ? [budget("max_money")] : []),
        ...(state.cost.tokens >= limit("max_tokens") ? [budget("max_tokens")] : []),
      ];
    default:
      return [];
  }
}

/** Why a tree that has nothing left to grow has not: one line; nothing for a tree that ended otherwise. */
export function whyEmpty(manifest: Manifest): string | undefined {
  const { state, nodes, run_config } = manifest;
  const depth = state.completed_depths.at(-1);
  if (state.stop_reason !== "empty_frontier" || depth === undefined) return undefined;
  const tried = evaluationsInOrder(manifest).filter((evaluation) => evaluation.depth === depth);
  if (tried.length === 0) {
    const known = Object.values(nodes).reduce(
      (sum, node) => sum + (node.depth === depth ? node.dedupe.skipped.length : 0),
      0,
    );
    const first = `no new idea at depth ${depth}`;
    if (known === 0) return first;
    const wider =
      run_config.dedupe_scope === "node_plus_ancestors"
        ? "; --dedupe-scope accepted offers a node what its branch has not taken"
        : "";
    return `${first}: ${known} skipped that were known${wider}`;
  }
  const reasons = [...Map.groupBy(tried, ({ decision }) => decision.gate_reason ?? "not promoted")];
  return `none passed the gate at depth ${depth}: ${reasons.map(([reason, those]) => `${those.length} ${reason} (${example(those[0])})`).join(", ")}`;
}

function example({ eval_id, error, strict_completeness, decision, parent_relative }: ManifestEvaluation): string {
  if (error !== null) return `${eval_id}: ${error}`;
  if (decision.gate_reason === "incomplete_or_failed_rows" && strict_completeness !== null) {
    const { expected_count, observed_unique_config_ids, ok_count, error_count } = strict_completeness;
    return `${eval_id}: ${observed_unique_config_ids} of ${expected_count ?? 0} ids, ${ok_count} rows without and ${error_count} with errors`;
  }
  return `${eval_id}: primary delta ${parent_relative?.primary_delta ?? "none"}`;
}
