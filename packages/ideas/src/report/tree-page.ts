import { Markup, markup, pageStyle } from "@coppice/engine";
import type { Manifest, ManifestEvaluation } from "../manifest/manifest.ts";
import { evaluationCount, evaluationsInOrder, fileName, gateText, promotedText } from "./in-order.ts";
import { duration } from "./summary-text.ts";
import { treeSvg } from "./tree-svg.ts";

const style = `
.edge { fill: none; stroke: var(--dim); stroke-width: 1.2; } .edge.best { stroke: var(--leaf); stroke-width: 2.4; }
.node { fill: var(--panel); stroke: var(--line); } .node.best { stroke: var(--leaf); stroke-width: 2.4; }
.provisional { stroke-dasharray: 6 4; }
svg text { fill: var(--ink); font-size: 12px; font-family: inherit; } svg text.rank { fill: var(--dim); }
.promoted { fill: var(--leaf); } .passed { fill: var(--leaf); opacity: 0.45; } .rejected { fill: var(--dim); } .failed { fill: var(--bad); }
.panel { overflow-x: auto; } td { white-space: nowrap; font-size: 13px; } td:last-child { white-space: normal; min-width: 220px; }
`;

/** A run as one page that loads nothing: the tree, its best path and every evaluation. */
export function treePage(manifest: Manifest): string {
  const { state, tree_run_id } = manifest;
  return markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Idea tree ${tree_run_id} · coppice</title><style>${new Markup(pageStyle + style)}</style></head><body><main>
<header><h1>Idea tree ${tree_run_id}</h1><p class="lead">${evaluationCount(manifest)} evaluations, ${state.current_depth} depths complete, ${state.stop_reason ?? "running"}${state.stop_reason_detail === null ? "" : `: ${state.stop_reason_detail}`}</p></header>
<section><h2>Tree <small>green: promoted, pale: passed, grey: rejected, red: failed; dashed: provisional</small></h2><div class="panel">${treeSvg(manifest)}</div></section>
<section><h2>Best path</h2><ol>${state.best_path.map((nodeId) => bestLine(manifest, nodeId))}</ol></section>
<section><h2>Evaluations</h2><div class="panel"><table><thead><tr>${["id", "depth", "parent", "idea", "state", "attempt", "seconds", "rank", "node", "gate or error"].map((name) => markup`<th>${name}</th>`)}</tr></thead><tbody>${evaluationsInOrder(manifest).map(row)}</tbody></table></div></section>
<footer>Made by coppice from manifest.json, updated ${manifest.updated_at ?? "never"}.</footer>
</main></body></html>
`.text;
}

function bestLine({ nodes }: Manifest, nodeId: string): Markup {
  const node = nodes[nodeId];
  const idea = node.idea_chain.at(-1);
  return markup`<li>${nodeId} ${idea === undefined ? "the root" : fileName(idea)} <small>${node.commit.slice(0, 12)}${node.root_rank === null ? "" : ` · rank ${node.root_rank.toFixed(4)}`}${node.status === "provisional" ? ` · provisional, ${node.ref_name}` : ""}</small></li>`;
}

function row(evaluation: ManifestEvaluation): Markup {
  const { decision } = evaluation;
  const cells = [
    evaluation.eval_id,
    evaluation.depth,
    evaluation.parent_node_id,
    fileName(evaluation.idea_path),
    evaluation.status,
    evaluation.attempt,
    duration(evaluation),
    decision.rank_score?.toFixed(4) ?? "",
    promotedText(evaluation),
    evaluation.error ?? gateText(evaluation),
  ];
  return markup`<tr>${cells.map((value) => markup`<td>${value}</td>`)}</tr>`;
}
