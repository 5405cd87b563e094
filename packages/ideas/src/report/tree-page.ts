import { type Markup, markup, page, table } from "@coppice/engine/page";
import type { Manifest, ManifestEvaluation, ManifestNode } from "../manifest/manifest.ts";
import {
  costText,
  evaluationCount,
  evaluationsInOrder,
  fileName,
  gateText,
  nodesInOrder,
  promotedText,
} from "./in-order.ts";
import { duration } from "./summary-text.ts";

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
  const columns = [
    "id",
    "depth",
    "parent",
    "idea",
    "state",
    "attempt",
    "seconds",
    "rank",
    "node",
    "against its parent",
    "cost",
    "gate or error",
  ];
  return page({
    title: `Idea tree ${tree_run_id}`,
    lead: `${evaluationCount(manifest)} evaluations, ${state.current_depth} depths complete, ${state.stop_reason ?? "running"}${state.stop_reason_detail === null ? "" : `: ${state.stop_reason_detail}`}`,
    style,
    body: markup`<section><h2>Tree <small>green: promoted, pale: passed, grey: rejected, red: failed; dashed: provisional</small></h2><div class="panel">${treeSvg(manifest)}</div></section>
<section><h2>Best path</h2><ol>${state.best_path.map((nodeId) => bestLine(manifest, nodeId))}</ol></section>
<section><h2>Evaluations</h2><div class="panel">${table(columns, evaluationsInOrder(manifest).map(cellsOf))}</div></section>`,
    footer: `Made by coppice from manifest.json, updated ${manifest.updated_at ?? "never"}.`,
  });
}

function bestLine({ nodes }: Manifest, nodeId: string): Markup {
  const node = nodes[nodeId];
  const idea = node.idea_chain.at(-1);
  return markup`<li>${nodeId} ${idea === undefined ? "the root" : fileName(idea)} <small>${node.commit.slice(0, 12)}${node.root_rank === null ? "" : ` · rank ${node.root_rank.toFixed(4)}`}${node.status === "provisional" ? ` · provisional, ${node.ref_name}` : ""}</small>${node.because === null ? "" : markup`<br>promoted because ${node.because}`}</li>`;
}

function cellsOf(evaluation: ManifestEvaluation) {
  return [
    evaluation.eval_id,
    evaluation.depth,
    evaluation.parent_node_id,
    fileName(evaluation.idea_path),
    evaluation.status,
    evaluation.attempt,
    duration(evaluation),
    evaluation.decision.rank_score?.toFixed(4),
    promotedText(evaluation),
    evaluation.because ?? "",
    evaluation.cost === null ? "" : costText(evaluation.cost),
    evaluation.error ?? gateText(evaluation),
  ];
}

const WIDTH = 210;
const HEIGHT = 54;
const GAP_X = 60;
const GAP_Y = 16;
const MARGIN = 12;
/** Evaluations drawn as dots on their node; the rest is said as a number. */
const MOST_DOTS = 18;

interface Place {
  readonly x: number;
  readonly y: number;
}

/** The tree as a drawing: nodes by depth from left to right, on each a dot per idea that was tried on it. */
export function treeSvg(manifest: Manifest): Markup {
  const nodes = nodesInOrder(manifest);
  const places = placed(nodes);
  const tried = Map.groupBy(evaluationsInOrder(manifest), ({ parent_node_id }) => parent_node_id);
  const best = new Set(manifest.state.best_path);
  const depths = Math.max(0, ...nodes.map(({ depth }) => depth)) + 1;
  const bottom = Math.max(0, ...[...places.values()].map(({ y }) => y)) + HEIGHT;
  const width = MARGIN * 2 + depths * WIDTH + (depths - 1) * GAP_X;
  return markup`<svg viewBox="0 0 ${width} ${bottom + MARGIN}" width="${width}" role="img" aria-label="the tree of nodes">${nodes.map((node) => edge(node, places, best))}${nodes.map((node) => box(node, places, best, tried.get(node.node_id) ?? []))}</svg>`;
}

/** Children below each other beside their parent; a column is as long as it has nodes. */
function placed(nodes: readonly ManifestNode[]): Map<string, Place> {
  const rows = new Map<number, number>();
  return new Map(
    nodes.map((node) => {
      const row = rows.get(node.depth) ?? 0;
      rows.set(node.depth, row + 1);
      return [node.node_id, { x: MARGIN + node.depth * (WIDTH + GAP_X), y: MARGIN + row * (HEIGHT + GAP_Y) }];
    }),
  );
}

function edge(node: ManifestNode, places: ReadonlyMap<string, Place>, best: ReadonlySet<string>): Markup | undefined {
  const from = node.parent_node_id === null ? undefined : places.get(node.parent_node_id);
  const to = places.get(node.node_id);
  if (from === undefined || to === undefined) return undefined;
  const [x1, y1, x2, y2] = [from.x + WIDTH, from.y + HEIGHT / 2, to.x, to.y + HEIGHT / 2];
  const middle = (x1 + x2) / 2;
  return markup`<path class="edge${marks(node, best)}" d="M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}"/>`;
}

function box(
  node: ManifestNode,
  places: ReadonlyMap<string, Place>,
  best: ReadonlySet<string>,
  tried: readonly ManifestEvaluation[],
): Markup | undefined {
  const place = places.get(node.node_id);
  if (place === undefined) return undefined;
  const idea = node.idea_chain.at(-1);
  const name = idea === undefined ? "root" : fileName(idea);
  const shown = name.length > 24 ? `${name.slice(0, 23)}…` : name;
  const rank = node.root_rank === null ? "" : node.root_rank.toFixed(4);
  return markup`<g transform="translate(${place.x} ${place.y})"><title>${name}${node.status === "provisional" ? " (provisional)" : ""}</title><rect class="node${marks(node, best)}" width="${WIDTH}" height="${HEIGHT}" rx="6"/><text x="10" y="20">${node.node_id} ${shown}</text><text class="rank" x="${WIDTH - 10}" y="43" text-anchor="end">${rank}</text>${dots(tried)}</g>`;
}

/** Classes of a node and of the edge that leads to it. */
function marks({ node_id, status }: ManifestNode, best: ReadonlySet<string>): string {
  return `${best.has(node_id) ? " best" : ""}${status === "provisional" ? " provisional" : ""}`;
}

function dots(tried: readonly ManifestEvaluation[]): Markup[] {
  const drawn = tried.slice(0, MOST_DOTS).map((evaluation, index) => {
    const title = `${evaluation.eval_id} ${fileName(evaluation.idea_path)}: ${evaluation.status} ${gateText(evaluation)}`;
    return markup`<circle class="${dotClass(evaluation)}" cx="${14 + index * 7}" cy="36" r="2.8"><title>${title}</title></circle>`;
  });
  const rest = tried.length - MOST_DOTS;
  if (rest > 0) drawn.push(markup`<text class="rank" x="10" y="51">and ${rest} more</text>`);
  return drawn;
}

function dotClass({ status, decision }: ManifestEvaluation): string {
  if (decision.promoted_to_node_id !== null) return "promoted";
  if (status === "failed") return "failed";
  return decision.passed_gate === true ? "passed" : "rejected";
}
