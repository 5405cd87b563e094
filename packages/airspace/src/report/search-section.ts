import { formatCount } from "@coppice/engine/display";
import { type Markup, markup, plotFrame, type Timeline, table, timelineChart, valueTicks } from "@coppice/engine/page";
import type { TreeShape } from "../planner/plan-tree.ts";
import type { PlanningResult } from "../planner/planning-run.ts";
import type { RootResult, RootSummary } from "../planner/root-search.ts";
import { populationSection, populationStyle } from "./population-section.ts";

/** How a plan was found. */
export interface PlanSearch {
  readonly result: PlanningResult;
  /** What each worker did when. */
  readonly timeline?: Timeline;
}

export const searchStyle = `
.root-line { fill: none; stroke: var(--dim); stroke-width: 1.2; opacity: 0.6; } .root-line.best { stroke: var(--leaf); stroke-width: 2; opacity: 1; }
.branch { stroke: var(--dim); stroke-opacity: 0.35; stroke-width: 0.8; fill: none; } .node { fill: var(--dim); opacity: 0.7; }
.trunk { stroke: var(--leaf); stroke-width: 2; fill: none; } .node.trunk-node { fill: var(--leaf); opacity: 1; }
#roots { margin-top: 14px; max-width: 560px; }
.phase { stroke: var(--warn); stroke-dasharray: 4 3; }
${populationStyle}`;

/** How the search converged, the tree the best plan goes back to, and what the workers did. */
export function searchSection({ result, timeline }: PlanSearch): Markup {
  const tree = result.best?.tree;
  const [whose, at] =
    "roots" in result
      ? [`of root ${result.bestRoot}`, "which root each of them was at"]
      : ["of the walker that the best plan goes back to", "which segment each of them was at"];
  return markup`${"roots" in result ? rootSection(result) : populationSection(result)}
${
  tree === undefined
    ? undefined
    : markup`<h2 id="tree">Tree <small>${formatCount(tree.parent.length)} plans ${whose}, each one regulation longer than its parent, then tuned</small></h2>
<div class="panel">${treeChart(tree)}</div>`
}
${
  timeline === undefined
    ? undefined
    : markup`<h2 id="workers">Workers <small>${at}</small></h2><div class="panel">${timelineChart(timeline)}</div>`
}`;
}

function rootSection({ roots, bestRoot, best }: RootResult): Markup {
  const evaluations = roots.reduce((sum, root) => sum + root.evaluations, 0);
  return markup`<h2 id="convergence">Convergence <small>${formatCount(evaluations)} plans evaluated in ${roots.length} ${roots.length === 1 ? "root" : "roots"}</small></h2>
<div class="panel">${convergenceChart(roots, bestRoot, best?.treeEvaluations ?? 0)}</div>
${rootTable(roots, bestRoot)}`;
}

function rootTable(roots: readonly RootSummary[], bestRoot: number | undefined): Markup {
  const columns = ["root", "seed", "evaluations", "J"].map((number) => ({ number }));
  const rows = roots.map(({ root, seed, evaluations, objective, failure }) => [
    `${root}${root === bestRoot ? " (best)" : ""}`,
    seed,
    formatCount(evaluations),
    objective === undefined ? failure : objective.toFixed(1),
  ]);
  return markup`<div class="panel" id="roots">${table(columns, rows)}</div>`;
}

/** More nodes than this are not drawn, so that the page stays small; the way to the best plan always is. */
const MOST_NODES = 3000;

/** Every node of a tree of plans by its depth and objective; a thick line leads to the best one. */
function treeChart(tree: TreeShape): Markup {
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
  return markup`<figure class="chart"><svg viewBox="0 0 ${frame.size.width} ${frame.size.height}" role="img" aria-label="Tree of ${parent.length} plans">
${frame.axes({ label: "depth: regulations added", ticks, text: String }, { label: "J", text: formatCount })}
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

/** The first part of the evaluations, in which the objective falls so far that the rest would look flat, is cut off above. */
const CUT = 0.02;

/** Best objective over evaluations, a line per root, the best one on top; a mark where its tree ends and annealing begins. */
function convergenceChart(
  roots: readonly RootSummary[],
  bestRoot: number | undefined,
  treeEvaluations: number,
): Markup {
  const drawn = roots.filter(({ convergence }) => convergence.length > 0);
  if (drawn.length === 0) return markup`<p class="empty">No root came to an end.</p>`;
  const most = Math.max(...drawn.map(({ evaluations }) => evaluations));
  const highest = Math.max(...drawn.map(({ convergence }) => reached(convergence, CUT * most)));
  const frame = plotFrame(
    [0, most],
    [Math.min(...drawn.map(({ convergence }) => reached(convergence, most))), highest],
  );
  const { x } = frame;
  const y = (objective: number) => frame.y(Math.min(objective, highest));
  const ordered = drawn.toSorted((a, b) => Number(a.root === bestRoot) - Number(b.root === bestRoot));
  const lines = ordered.map(({ root, objective, evaluations, convergence }) => {
    const [[firstAt, first], ...later] = convergence;
    const steps = later.map(([at, value]) => `H${x(at)}V${y(value)}`).join("");
    return markup`<path class="root-line${root === bestRoot ? " best" : ""}" d="M${x(firstAt)},${y(first)}${steps}H${x(evaluations)}"><title>root ${root}: ${objective?.toFixed(1) ?? ""}</title></path>`;
  });
  const phase =
    treeEvaluations > 0 && treeEvaluations < most
      ? markup`<line class="phase" x1="${x(treeEvaluations)}" x2="${x(treeEvaluations)}" y1="${frame.top}" y2="${frame.bottom}"/><text class="tick" x="${x(treeEvaluations) + 5}" y="${frame.top + 12}">tree | annealing</text>`
      : undefined;
  return markup`<figure class="chart"><svg viewBox="0 0 ${frame.size.width} ${frame.size.height}" role="img" aria-label="Best objective over evaluations">
${frame.axes(
  { label: "evaluations of a root", ticks: valueTicks(0, most, 8), text: formatCount },
  { label: "best J", text: formatCount },
)}
${phase}${lines}</svg></figure>`;
}

/** The best objective after a number of evaluations. */
function reached(convergence: RootSummary["convergence"], evaluations: number): number {
  const [[, first]] = convergence;
  return convergence.findLast(([at]) => at <= evaluations)?.[1] ?? first;
}
