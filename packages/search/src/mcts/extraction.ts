import type { Edge, Node } from "./tree.ts";

/** What makes one way through the tree preferable: how often it was taken, its mean value, or the best found below. */
export type PathChoice = "visits" | "value" | "best";

/** The preferred edge of a node, among those with a value; the earlier one of equals. */
export function preferredEdge<State, Action>(
  node: Node<State, Action>,
  choice: PathChoice,
): Edge<State, Action> | undefined {
  let preferred: Edge<State, Action> | undefined;
  for (const edge of node.edges) {
    if (edge.visits === 0) continue;
    if (preferred === undefined || merit(edge, choice) > merit(preferred, choice)) preferred = edge;
  }
  return preferred;
}

/** Actions from a node down to a terminal state or to where nothing was visited. */
export function preferredPath<State, Action>(start: Node<State, Action>, choice: PathChoice): Action[] {
  const actions: Action[] = [];
  const passed = new Set<Node<State, Action>>();
  let node: Node<State, Action> | undefined = start;
  while (node !== undefined && !passed.has(node)) {
    passed.add(node);
    const edge: Edge<State, Action> | undefined = preferredEdge(node, choice);
    if (edge === undefined) break;
    actions.push(edge.action);
    node = edge.child;
  }
  return actions;
}

function merit<State, Action>(edge: Edge<State, Action>, choice: PathChoice): number {
  if (choice === "visits") return edge.visits;
  return choice === "value" ? edge.total / edge.visits : edge.best;
}
