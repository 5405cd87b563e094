import { type Markup, markup } from "@coppice/engine";
import type { TreeShape } from "../planner/plan-tree.ts";
import { plotFrame } from "./plot-frame.ts";

/** More nodes than this are not drawn, so that the page stays small; the way to the best plan always is. */
const MOST_NODES = 3000;

/** Every node of a tree of plans by its depth and objective; a thick line leads to the best one. */
export function treeChart(tree: TreeShape): Markup {
  const { parent, objective, lines } = tree;
  if (parent.length === 0) return markup`<p class="empty">The tree has no nodes.</p>`;
  const depth = depthsOf(tree);
  const best = objective.reduce((least, value, node) => (value < objective[least] ? node : least), 0);
  const trunk: number[] = [];
  for (let node = best; node >= 0; node = parent[node]) trunk.unshift(node);
  const deepest = Math.max(
    1,
    depth.reduce((a, b) => Math.max(a, b)),
  );
  const low = objective[best];
  const high = objective.reduce((a, b) => Math.max(a, b));
  const frame = plotFrame([-0.5, deepest + 0.5], [low, high]);
  const place = (node: number) => `${frame.x(depth[node])} ${frame.y(objective[node])}`;
  const shown = [...parent.keys()].slice(0, MOST_NODES);
  const branches = shown.filter((node) => parent[node] >= 0).map((node) => `M${place(parent[node])}L${place(node)}`);
  const dot = (node: number, name: string) =>
    markup`<circle class="${name}" cx="${frame.x(depth[node])}" cy="${frame.y(objective[node])}" r="3"><title>depth ${depth[node]}, ${lines[node]} regulations: J ${objective[node].toFixed(1)}</title></circle>`;
  const step = Math.ceil((deepest + 1) / 20);
  const ticks = Array.from({ length: Math.floor(deepest / step) + 1 }, (_, at) => at * step);
  return markup`<figure class="chart"><svg viewBox="0 0 ${frame.width} ${frame.height}" role="img" aria-label="Tree of ${parent.length} plans">
${frame.axes(ticks, String, "depth: regulations added", "J")}
<path class="branch" d="${branches.join("")}"/>
${shown.map((node) => dot(node, "node"))}
<path class="trunk" d="M${trunk.map(place).join("L")}"/>
${trunk.map((node) => dot(node, "node trunk-node"))}</svg>
<figcaption>each dot is a plan; the thick line leads to the best one, J ${low.toFixed(1)}, where annealing went on${parent.length > shown.length ? `; ${parent.length - shown.length} later plans are not drawn` : ""}</figcaption></figure>`;
}

function depthsOf({ parent }: TreeShape): number[] {
  const depth: number[] = [];
  for (const node of parent.keys()) depth.push(parent[node] < 0 ? 0 : depth[parent[node]] + 1);
  return depth;
}
