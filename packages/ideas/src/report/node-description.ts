import type { Metrics } from "../contract.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { roundedText } from "../manifest/promoted-because.ts";
import { costText, fileName } from "./in-order.ts";

/** What the record says of a node, as the description of a change: title, why each step was promoted, numbers, reviews. */
export function nodeDescription(manifest: Manifest, nodeId: string): string {
  const path: string[] = [];
  for (let at: string | null = nodeId; at !== null; at = manifest.nodes[at].parent_node_id) path.unshift(at);
  const steps = path.slice(1).map((id) => {
    const node = manifest.nodes[id];
    const idea = fileName(node.idea_chain.at(-1) ?? "").replace(/\.md$/i, "");
    const from = manifest.evaluations[node.artifacts.promoted_from_eval_id ?? ""];
    return { id, idea, because: node.because ?? "", from };
  });
  const title = steps.map(({ idea }) => idea.replaceAll(/[_-]+/g, " ").replace(/^\d+ /, "")).join(", then ");
  const lines = steps.flatMap(({ id, idea, because, from }) => [
    `- **${idea}** (node ${id}): ${because}`,
    ...from.review_rounds.flatMap(({ round, verdict, issues }) =>
      issues.length === 0 ? [] : [`  - review round ${round + 1}, ${verdict}: ${issues.join("; ")}`],
    ),
    ...(from.cost === null || costText(from.cost) === "" ? [] : [`  - cost: ${costText(from.cost)}`]),
  ]);
  const numbers = metricTable(manifest.nodes[path[0]].metrics, manifest.nodes[nodeId].metrics);
  const made = `Made by coppice, tree ${manifest.tree_run_id}, node ${nodeId}, from ${manifest.root.root_commit.slice(0, 12)}.`;
  return `${[`# ${title}`, lines.join("\n"), numbers, made].filter((part) => part !== "").join("\n\n")}\n`;
}

function metricTable(before: Metrics, after: Metrics): string {
  const names = Object.keys(after).filter((name) => Object.hasOwn(before, name));
  if (names.length === 0) return "";
  const rows = names.map((name) => `| ${name} | ${roundedText(before[name])} | ${roundedText(after[name])} |`);
  return ["| metric | before | after |", "| --- | --- | --- |", ...rows].join("\n");
}
