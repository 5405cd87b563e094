import { formatCount, type Markup, markup, type Timeline, timelineChart } from "@coppice/engine";
import type { TreeShape } from "../planner/plan-tree.ts";
import type { RootSummary } from "../planner/root-search.ts";
import { convergenceChart } from "./convergence-chart.ts";
import { treeChart } from "./tree-chart.ts";

/** How a plan was found. */
export interface PlanSearch {
  readonly roots: readonly RootSummary[];
  readonly bestRoot: number | undefined;
  /** The tree of the best root, and how many of its evaluations that took. */
  readonly tree?: TreeShape;
  readonly treeEvaluations: number;
  /** What each worker did when. */
  readonly timeline?: Timeline;
}

export const searchStyle = `
.root-line { fill: none; stroke: var(--dim); stroke-width: 1.2; opacity: 0.6; } .root-line.best { stroke: var(--leaf); stroke-width: 2; opacity: 1; }
.branch { stroke: var(--dim); stroke-opacity: 0.35; stroke-width: 0.8; fill: none; } .node { fill: var(--dim); opacity: 0.7; }
.trunk { stroke: var(--leaf); stroke-width: 2; fill: none; } .node.trunk-node { fill: var(--leaf); opacity: 1; }
#roots { margin-top: 14px; max-width: 560px; }
.phase { stroke: var(--warn); stroke-dasharray: 4 3; }
`;

/** Convergence of every root, the best root's tree, and what the workers did. */
export function searchSection({ roots, bestRoot, tree, treeEvaluations, timeline }: PlanSearch): Markup {
  const evaluations = roots.reduce((sum, root) => sum + root.evaluations, 0);
  return markup`<h2 id="convergence">Convergence <small>${formatCount(evaluations)} plans evaluated in ${roots.length} ${roots.length === 1 ? "root" : "roots"}</small></h2>
<div class="panel">${convergenceChart(roots, bestRoot, treeEvaluations)}</div>
${rootTable(roots, bestRoot)}
${
  tree === undefined
    ? undefined
    : markup`<h2 id="tree">Tree <small>${formatCount(tree.parent.length)} plans of root ${bestRoot}, each one regulation longer than its parent, then tuned</small></h2>
<div class="panel">${treeChart(tree)}</div>`
}
${
  timeline === undefined
    ? undefined
    : markup`<h2 id="workers">Workers <small>which root each of them was at</small></h2><div class="panel">${timelineChart(timeline)}</div>`
}`;
}

function rootTable(roots: readonly RootSummary[], bestRoot: number | undefined): Markup {
  const rows = roots.map(
    ({ root, seed, evaluations, objective, failure }) =>
      markup`<tr><td class="number">${root}${root === bestRoot ? " (best)" : ""}</td><td class="number">${seed}</td><td class="number">${formatCount(evaluations)}</td><td class="number">${objective === undefined ? (failure ?? "") : objective.toFixed(1)}</td></tr>`,
  );
  return markup`<div class="panel" id="roots"><table><thead><tr><th class="number">root</th><th class="number">seed</th><th class="number">evaluations</th><th class="number">J</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}
