import type { Manifest, ManifestEvaluation, ManifestNode } from "../manifest/manifest.ts";
import {
  costText,
  evaluationsInOrder,
  extentText,
  fileName,
  gateText,
  nodesInOrder,
  promotedText,
  scoreText,
  stepCostText,
} from "./in-order.ts";

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
  const spent = costText(state.cost);
  const cost = spent === "" ? "" : ` Steps reported a cost of ${spent} (${stepCostText(state.cost_by_step)}).`;
  return `${extentText(manifest)}, stop reason: ${stop}${detail}. Started ${created_at ?? "never"}, last change ${updated_at ?? "never"}.${cost}`;
}

function runConfig({ run_config, state, root }: Manifest): string {
  const facts = Object.entries(run_config)
    .filter(([, value]) => value === null || typeof value !== "object")
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const lines = [...facts, ["root_commit", root.root_commit], ["stop_reason", state.stop_reason]] as const;
  return lines.map(([name, value]) => `- ${name}: ${value === null ? "none" : cell(String(value))}`).join("\n");
}

function depthProgress({ state }: Manifest): string {
  const rows = Object.values(state.depth_progress_by_depth).sort((a, b) => a.depth - b.depth);
  return table(rows, {
    depth: (row) => row.depth,
    total: (row) => row.total_tasks,
    queued: (row) => row.queued,
    running: (row) => row.running,
    completed: (row) => row.completed,
    failed: (row) => row.failed,
    done: (row) => row.done,
    pending: (row) => row.pending,
    requeued: (row) => row.requeued,
    attempts: (row) => row.attempts_total,
    cost: (row) => costText(row.cost),
  });
}

function nodeTable(manifest: Manifest): string {
  const rows = nodesInOrder(manifest).map((node) => ({ node, from: evaluationOf(manifest, node) }));
  return table(rows, {
    depth: ({ node }) => node.depth,
    node: ({ node }) => node.node_id,
    parent: ({ node }) => node.parent_node_id,
    idea: ({ from }) => (from === undefined ? "" : fileName(from.idea_path)),
    conversation: ({ node }) => node.conversation_id,
    "forked from": ({ node }) => node.expansion_seed_turn_id,
    "latest turn": ({ node }) => node.latest_conversation_turn_id,
    "promoted because": ({ node }) => node.because,
    "root rank": ({ node }) => (node.root_rank === null ? "" : scoreText(node.root_rank)),
    grade: ({ from }) => from?.root_relative?.recommendation_summary.grade,
    explore: ({ from }) => from?.root_relative?.recommendation_summary.should_explore,
    gate: ({ from }) => (from === undefined ? "ROOT" : gateText(from)),
    "ok/expected": ({ from }) => completeText(from?.strict_completeness),
    rows: ({ from }) => from?.parent_relative?.candidate_rows_used,
    results: ({ node }) => node.baseline_results_csv_path,
    experiment: ({ from }) => from?.experiment_dir,
    commit: ({ node }) => node.commit.slice(0, 12),
    status: ({ node }) => node.status,
  });
}

function completeText(complete: ManifestEvaluation["strict_completeness"] | undefined): string {
  return complete == null ? "" : `${complete.ok_count}/${complete.expected_count ?? "-"}`;
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
      ...(node.root_rank === null ? [] : [`rank ${scoreText(node.root_rank)}`]),
      ...(node.because === null ? [] : [`promoted because ${cell(node.because)}`]),
      ...(node.status === "provisional" ? [`provisional, branch ${cell(node.ref_name)}`] : []),
    ];
    const rank = facts.length === 0 ? "" : ` (${facts.join(", ")})`;
    return `- ${nodeId}${rank}${ideas.length === 0 ? ": the root" : `: ${ideas.join(" → ")}`}`;
  });
  return lines.length === 0 ? "No node yet." : lines.join("\n");
}

function evaluationTable(manifest: Manifest): string {
  return table(evaluationsInOrder(manifest), {
    eval_id: (row) => row.eval_id,
    depth: (row) => row.depth,
    parent: (row) => row.parent_node_id,
    idea: (row) => fileName(row.idea_path),
    status: (row) => row.status,
    attempt: (row) => row.attempt,
    started: (row) => row.started_at,
    finished: (row) => row.finished_at,
    duration_s: duration,
    gate: gateText,
    rank: (row) => (row.decision.rank_score === null ? "" : scoreText(row.decision.rank_score)),
    gain: (row) => row.because,
    cost: (row) => (row.cost === null ? "" : costText(row.cost)),
    "cost by step": (row) => stepCostText(row.cost_by_step),
    promoted: promotedText,
    error_type: (row) => row.error_payload?.error_type,
    error: (row) => row.error_payload?.message,
  });
}

function evaluationOf({ evaluations }: Manifest, node: ManifestNode): ManifestEvaluation | undefined {
  const evalId = node.artifacts.promoted_from_eval_id;
  return evalId === null ? undefined : evaluations[evalId];
}

/** Of the last attempt, in seconds. */
function duration({ started_at, finished_at }: ManifestEvaluation): string {
  if (started_at === null || finished_at === null) return "";
  return ((Date.parse(finished_at) - Date.parse(started_at)) / 1000).toFixed(3);
}

type Column<Row> = (row: Row) => string | number | boolean | null | undefined;

/** Columns by their titles; what is null or undefined is an empty cell. */
function table<Row>(rows: readonly Row[], columns: Readonly<Record<string, Column<Row>>>): string {
  const line = (cells: readonly unknown[]) => `| ${cells.map((value) => cell(String(value ?? ""))).join(" | ")} |`;
  const titles = Object.keys(columns);
  const body = rows.map((row) => line(Object.values(columns).map((column) => column(row))));
  return [line(titles), `| ${titles.map(() => "---").join(" | ")} |`, ...body].join("\n");
}

/** One line, without what would end a cell or begin markup. */
function cell(text: string): string {
  return text.replace(/\s+/g, " ").replaceAll("\\", "\\\\").replaceAll("|", "\\|").replaceAll("<", "&lt;").trim();
}
