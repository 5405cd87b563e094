import type { Manifest, ManifestEvaluation, ManifestNode } from "../manifest/manifest.ts";
import { evaluationCount, evaluationsInOrder, fileName, gateText, nodesInOrder, promotedText } from "./in-order.ts";

/** Ideas of a node that the best path shows. */
const LAST_IDEAS = 3;

/** `TREE_SUMMARY.md`: a function of the manifest and of nothing else. */
export function summaryText(manifest: Manifest): string {
  const sections = [
    `# Idea tree ${cell(manifest.tree_run_id)}`,
    lead(manifest),
    "## Run Config",
    runConfig(manifest),
    "## Depth Progress",
    depthProgress(manifest),
    "## Nodes",
    nodeTable(manifest),
    provisionalNote(manifest),
    "## Best Path",
    bestPath(manifest),
    "## Evaluations",
    evaluationTable(manifest),
  ];
  return `${sections.filter((text) => text !== "").join("\n\n")}\n`;
}

function lead(manifest: Manifest): string {
  const { state, created_at, updated_at } = manifest;
  const stop = state.stop_reason === null ? "running" : state.stop_reason;
  const detail = state.stop_reason_detail === null ? "" : ` (${cell(state.stop_reason_detail)})`;
  const cost =
    state.cost.money === 0 && state.cost.tokens === 0
      ? ""
      : ` Steps reported a cost of ${state.cost.money} and ${state.cost.tokens} tokens.`;
  return `${evaluationCount(manifest)} evaluations, ${state.current_depth} depths complete, stop reason: ${stop}${detail}. Started ${created_at ?? "never"}, last change ${updated_at ?? "never"}.${cost}`;
}

function runConfig({ run_config, state, root }: Manifest): string {
  const facts = Object.entries(run_config)
    .filter(([, value]) => value === null || typeof value !== "object")
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const lines = [...facts, ["root_commit", root.root_commit], ["stop_reason", state.stop_reason]] as const;
  return lines.map(([name, value]) => `- ${name}: ${value === null ? "none" : cell(String(value))}`).join("\n");
}

function depthProgress({ state }: Manifest): string {
  const rows = Object.values(state.depth_progress_by_depth)
    .sort((a, b) => a.depth - b.depth)
    .map((p) => [
      p.depth,
      p.total_tasks,
      p.queued,
      p.running,
      p.completed,
      p.failed,
      p.done,
      p.pending,
      p.requeued,
      p.attempts_total,
    ]);
  return table(
    ["depth", "total", "queued", "running", "completed", "failed", "done", "pending", "requeued", "attempts"],
    rows,
  );
}

function nodeTable(manifest: Manifest): string {
  const rows = nodesInOrder(manifest).map((node) => {
    const from = evaluationOf(manifest, node);
    const rootRelative = from?.root_relative?.recommendation_summary;
    const complete = from?.strict_completeness;
    return [
      node.depth,
      node.node_id,
      node.parent_node_id ?? "",
      from === undefined ? "" : fileName(from.idea_path),
      node.conversation_id ?? "",
      node.expansion_seed_turn_id ?? "",
      node.latest_conversation_turn_id ?? "",
      node.root_rank ?? "",
      rootRelative?.grade ?? "",
      rootRelative === undefined ? "" : String(rootRelative.should_explore),
      from === undefined ? "ROOT" : gateText(from),
      complete === null || complete === undefined ? "" : `${complete.ok_count}/${complete.expected_count ?? "-"}`,
      from?.parent_relative?.candidate_rows_used ?? "",
      node.baseline_results_csv_path,
      from?.experiment_dir ?? "",
      node.commit.slice(0, 12),
      node.status,
    ];
  });
  return table(
    [
      "depth",
      "node",
      "parent",
      "idea",
      "conversation",
      "forked from",
      "latest turn",
      "root rank",
      "grade",
      "explore",
      "gate",
      "ok/expected",
      "rows",
      "results",
      "experiment",
      "commit",
      "status",
    ],
    rows,
  );
}

function provisionalNote({ nodes, state }: Manifest): string {
  if (!Object.values(nodes).some(({ status }) => status === "provisional")) return "";
  return `Provisional nodes are the best of depth ${state.current_depth} as far as it went when the run was stopped. Nothing is grown from them; when the run goes on, its whole depth decides.`;
}

function bestPath(manifest: Manifest): string {
  const lines = manifest.state.best_path.map((nodeId) => {
    const node = manifest.nodes[nodeId];
    const ideas = node.idea_chain.slice(-LAST_IDEAS).map((path) => `\`${cell(fileName(path))}\``);
    const facts = [
      ...(node.root_rank === null ? [] : [`rank ${node.root_rank}`]),
      ...(node.status === "provisional" ? [`provisional, branch ${cell(node.ref_name)}`] : []),
    ];
    const rank = facts.length === 0 ? "" : ` (${facts.join(", ")})`;
    return `- ${nodeId}${rank}${ideas.length === 0 ? ": the root" : `: ${ideas.join(" → ")}`}`;
  });
  return lines.length === 0 ? "No node yet." : lines.join("\n");
}

function evaluationTable(manifest: Manifest): string {
  const rows = evaluationsInOrder(manifest).map((evaluation) => [
    evaluation.eval_id,
    evaluation.depth,
    evaluation.parent_node_id,
    fileName(evaluation.idea_path),
    evaluation.status,
    evaluation.attempt,
    evaluation.started_at ?? "",
    evaluation.finished_at ?? "",
    duration(evaluation),
    gateText(evaluation),
    evaluation.decision.rank_score ?? "",
    promotedText(evaluation),
    evaluation.error_payload?.error_type ?? "",
    evaluation.error_payload?.message ?? "",
  ]);
  return table(
    [
      "eval_id",
      "depth",
      "parent",
      "idea",
      "status",
      "attempt",
      "started",
      "finished",
      "duration_s",
      "gate",
      "rank",
      "promoted",
      "error_type",
      "error",
    ],
    rows,
  );
}

function evaluationOf({ evaluations }: Manifest, node: ManifestNode): ManifestEvaluation | undefined {
  const evalId = node.artifacts.promoted_from_eval_id;
  return evalId === null ? undefined : evaluations[evalId];
}

/** Of the last attempt, in seconds. */
export function duration({ started_at, finished_at }: ManifestEvaluation): string {
  if (started_at === null || finished_at === null) return "";
  return ((Date.parse(finished_at) - Date.parse(started_at)) / 1000).toFixed(3);
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.map((value) => cell(String(value))).join(" | ")} |`;
  return [line(head), `| ${head.map(() => "---").join(" | ")} |`, ...rows.map(line)].join("\n");
}

/** One line, without what would end a cell or begin markup. */
function cell(text: string): string {
  return text.replace(/\s+/g, " ").replaceAll("\\", "\\\\").replaceAll("|", "\\|").replaceAll("<", "&lt;").trim();
}
