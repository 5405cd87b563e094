import type { SearchTree, SearchTreeNode } from "@coppice/engine";
import { type Edge, type Node, preferredEdge } from "./tree.ts";

/** Nodes that are listed: as many as a page draws. */
const MOST_NODES = 10_000;
const MOST_LETTERS = 80;

/** What is still to be listed: a node, and how it was reached. */
interface Waiting<State, Action> {
  readonly node: Node<State, Action> | undefined;
  readonly parent: number | null;
  readonly edge: Edge<State, Action> | undefined;
  readonly best: boolean;
}

/**
 * What is below a root, level by level, of each level what was visited most; a state that several ways lead to is listed
 * on the first. `sign` is 1 where much is wanted, −1 where little is.
 */
export function treeOf<State, Action>(root: Node<State, Action>, sign: 1 | -1): SearchTree {
  const nodes: SearchTreeNode[] = [];
  const seen = new Set<Node<State, Action>>([root]);
  let level: Waiting<State, Action>[] = [{ node: root, parent: null, edge: undefined, best: true }];
  let leftOut = 0;
  while (level.length > 0) {
    const below: Waiting<State, Action>[] = [];
    const room = MOST_NODES - nodes.length;
    leftOut += Math.max(0, level.length - room);
    for (const { node, parent, edge, best } of level.slice(0, room)) {
      const { visits, total } = edge ?? root;
      nodes.push({
        parent,
        name: edge === undefined ? "the root" : nameOf(edge.action),
        prior: edge?.prior ?? null,
        visits,
        value: visits === 0 ? null : (sign * total) / visits,
        best,
      });
      if (node === undefined) continue;
      const preferred = best ? preferredEdge(node, "visits") : undefined;
      for (const taken of node.edges) {
        const isNew = taken.child !== undefined && !seen.has(taken.child);
        if (taken.child !== undefined && isNew) seen.add(taken.child);
        const child = isNew ? taken.child : undefined;
        below.push({ node: child, parent: nodes.length - 1, edge: taken, best: taken === preferred });
      }
    }
    const visitsOf = ({ edge }: Waiting<State, Action>) => edge?.visits ?? 0;
    level = below.sort((a, b) => Number(b.best) - Number(a.best) || visitsOf(b) - visitsOf(a));
  }
  return { nodes, leftOut };
}

function nameOf(action: unknown): string {
  const parts = typeof action === "object" && action !== null ? Object.values(action) : [];
  // `50 25 ×` says more in little room than names of fields do.
  const isPlain = parts.length > 0 && parts.every((part) => ["string", "number", "boolean"].includes(typeof part));
  const text = isPlain
    ? parts.join(" ")
    : typeof action === "string"
      ? action
      : (JSON.stringify(action) ?? String(action));
  return text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS - 1)}…` : text;
}
