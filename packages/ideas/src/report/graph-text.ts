import type { Manifest } from "../manifest/manifest.ts";
import { fileName, nodesInOrder, scoreText } from "./in-order.ts";

/** `TREE_GRAPH.md`: the nodes as a Mermaid graph, the best path marked, provisional nodes dashed. */
export function graphText(manifest: Manifest): string {
  return `# Idea tree ${manifest.tree_run_id}\n\n\`\`\`mermaid\n${mermaid(manifest)}\`\`\`\n`;
}

/** The tree as a Mermaid graph. */
export function mermaid(manifest: Manifest): string {
  const lines = ["graph LR"];
  const best = new Set(manifest.state.best_path);
  for (const node of nodesInOrder(manifest)) {
    const evalId = node.artifacts.promoted_from_eval_id;
    const idea = node.idea_chain.at(-1);
    const rank = node.root_rank === null ? "" : ` · ${scoreText(node.root_rank)}`;
    const why = node.because === null ? "" : `<br/>${quoted(`promoted because ${node.because}`)}`;
    const label =
      idea === undefined ? `${node.node_id} root` : `${node.node_id} ${quoted(fileName(idea))}${rank}${why}`;
    lines.push(`  n${node.node_id}["${label}"]${best.has(node.node_id) ? ":::best" : ""}`);
    const provisional = node.status === "provisional";
    const arrow = provisional ? "-.->" : "-->";
    if (node.parent_node_id !== null) lines.push(`  n${node.parent_node_id} ${arrow}|${evalId}| n${node.node_id}`);
    if (provisional) lines.push(`  class n${node.node_id} provisional`);
  }
  lines.push("  classDef best stroke-width:3px", "  classDef provisional stroke-dasharray:5 4");
  return `${lines.join("\n")}\n`;
}

/** Mermaid ends a label at a quote and knows entities by `#name;`. */
function quoted(text: string): string {
  return text.replace(/[\s]+/g, " ").replace(/[#"<>`]/g, (character) => `#${character.charCodeAt(0)};`);
}
