import { type HierarchyNode, type HierarchyPointNode, stratify, tree } from "d3-hierarchy";
import type { DrawnTree } from "./drawn-tree.ts";

/** Width of a depth and height of a line, before anybody zooms. */
export const COLUMN = 270;
export const LINE = 22;
/** Around the drawing, and what a name at its right end takes: letters are as large however far one zooms. */
export const MARGIN = 14;
export const NAME = COLUMN - 30;
/** How far an outline is indented per depth, at most and at least. */
const [INDENT, LEAST_INDENT] = [18, 3];

/** Ideas below one another that are shown of a large tree; the rest is one line that can be opened. */
const FEW = 4;
/** A tree of so many ideas is shown whole: its lines can all be read at once. */
const SMALL = 50;

/** Something that is drawn at a place: an idea, or those of a node that are folded away. */
export interface Placed {
  readonly key: string;
  /** Place in the view's list; of a fold, of the idea it is below. */
  readonly idea: number;
  /** How many ideas are folded away here; 0 for an idea. */
  readonly folded: number;
  readonly x: number;
  readonly y: number;
  readonly parent: Placed | undefined;
  /** Whether anything is drawn that builds upon it. */
  readonly hasBelow: boolean;
}

/** A tree as it is drawn. */
export interface Layout {
  /** By line, from top to bottom; those beside each other from left to right. */
  readonly places: readonly Placed[];
  /** From the root to the deepest, its name not included. */
  readonly across: number;
  readonly height: number;
  /** A line for each, indented, where there is no room for a column per depth. */
  readonly isOutline: boolean;
  /** Those with something below, and the best: their lines may cross what is in sight. */
  readonly crossings: readonly Placed[];
}

interface Item {
  readonly key: string;
  readonly parentKey: string | undefined;
  readonly idea: number;
  readonly folded: number;
}

/** Below which ideas all that was tried is shown at first: everywhere, or nowhere if there is much. */
export function openAtFirst(nodes: DrawnTree): ReadonlySet<number> | "all" {
  return nodes.length <= SMALL ? "all" : new Set<number>();
}

/**
 * Gives every idea a place, none of them further right than there is room; below an idea that is not open, only what was built
 * upon and the best few others are shown.
 */
export function layOut(nodes: DrawnTree, open: ReadonlySet<number> | "all", room: number): Layout {
  const below = Map.groupBy(nodes.keys().drop(1), (node) => nodes[node].parent ?? 0);
  const items: Item[] = [{ key: "0", parentKey: undefined, idea: 0, folded: 0 }];
  const add = (parent: number): void => {
    const tried = below.get(parent) ?? [];
    const shown = open === "all" || open.has(parent) ? tried : worthShowing(nodes, parent, tried);
    for (const idea of shown) {
      items.push({ key: String(idea), parentKey: String(parent), idea, folded: 0 });
      add(idea);
    }
    const folded = tried.length - shown.length;
    if (folded > 0) items.push({ key: `${parent} more`, parentKey: String(parent), idea: parent, folded });
  };
  add(0);
  const root = stratify<Item>()
    .id(({ key }) => key)
    .parentId(({ parentKey }) => parentKey)(items);
  const across = room - 2 * MARGIN - NAME;
  const isOutline = root.height * COLUMN > across;
  const laid = isOutline ? outline(root, across) : columns(root);
  let [top, bottom, right] = [0, 0, 0];
  laid.each(({ x, y }) => {
    [top, bottom, right] = [Math.min(top, x), Math.max(bottom, x), Math.max(right, y)];
  });
  // A parent comes before what is below it.
  const placed = new Map<string, Placed>();
  laid.each(({ data: { key, parentKey, idea, folded }, children, x, y }) => {
    const parent = parentKey === undefined ? undefined : placed.get(parentKey);
    placed.set(key, { key, idea, folded, x: y, y: x - top, parent, hasBelow: children !== undefined });
  });
  const places = [...placed.values()].sort((a, b) => a.y - b.y || a.x - b.x);
  const crossings = places.filter(({ hasBelow, idea }) => hasBelow || nodes[idea].best);
  return { places, crossings, across: right, height: bottom - top + LINE, isOutline };
}

function columns(root: HierarchyNode<Item>): HierarchyPointNode<Item> {
  return tree<Item>()
    .nodeSize([LINE, COLUMN])
    .separation(() => 1)(root);
}

/** As folders are listed: each on a line of its own below the one it builds upon. */
function outline(root: HierarchyNode<Item>, across: number): HierarchyPointNode<Item> {
  const indent = Math.max(LEAST_INDENT, Math.min(INDENT, across / root.height));
  const laid = columns(root);
  let line = 0;
  laid.eachBefore((node) => {
    node.x = LINE * line++;
    node.y = indent * node.depth;
  });
  return laid;
}

/** What is drawn between two heights. */
export function between({ places }: Layout, top: number, bottom: number): readonly Placed[] {
  return places.slice(firstFrom(places, top), firstFrom(places, bottom));
}

function firstFrom(places: readonly Placed[], height: number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (places[middle].y < height) low = middle + 1;
    else high = middle;
  }
  return low;
}

function worthShowing(nodes: DrawnTree, parent: number, tried: readonly number[]): number[] {
  const kept = tried.filter((node) => nodes[node].isKept);
  const weightOf = (node: number) => nodes[node].weight ?? Number.NEGATIVE_INFINITY;
  const others = tried.filter((node) => !nodes[node].isKept).sort((a, b) => weightOf(b) - weightOf(a));
  if (nodes[parent].isClosed) return kept;
  // One line less would be the line that says so.
  const few = others.length <= FEW + 1 ? others : others.slice(0, FEW);
  return [...kept, ...few].sort((a, b) => a - b);
}
