import { type Markup, markup } from "@coppice/engine";
import type { Manifest, ManifestEvaluation, ManifestNode } from "../manifest/manifest.ts";
import { evaluationsInOrder, fileName, gateText, nodesInOrder } from "./in-order.ts";

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
