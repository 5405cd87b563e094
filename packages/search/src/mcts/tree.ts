/** An action that was opened, and what is known of it. Pending visits are on their way and have no value yet. */
export interface Edge<State, Action> {
  readonly action: Action;
  readonly prior: number;
  visits: number;
  pending: number;
  /** Sum of the rewards found below. */
  total: number;
  /** Best reward found below. */
  best: number;
  /** What shaping adds while little is known of the edge; no part of any value. */
  lift: number;
  /** Known once the edge was first taken, or shaped. */
  child: Node<State, Action> | undefined;
  /** Leads only to failed evaluations, or to ends that are known and need not be seen again. */
  closed: boolean;
}

/** A state and the actions opened in it. */
export interface Node<State, Action> {
  readonly key: string;
  readonly state: State;
  readonly terminal: boolean;
  /** Number of the node in order of creation. */
  readonly index: number;
  visits: number;
  pending: number;
  total: number;
  /** All actions, likely ones first; undefined until the node is first passed through. */
  choices: readonly { readonly action: Action; readonly prior: number }[] | undefined;
  /** The first of `choices`, opened. */
  readonly edges: Edge<State, Action>[];
}

/** From the root to a leaf: node i was left by edge i. */
export interface Path<State, Action> {
  readonly nodes: readonly Node<State, Action>[];
  readonly edges: readonly Edge<State, Action>[];
}

/** Marks a path as on its way: it counts as visited, without a value. */
export function markPending<State, Action>({ nodes, edges }: Path<State, Action>, count: 1 | -1): void {
  for (const node of nodes) node.pending += count;
  for (const edge of edges) edge.pending += count;
}

/** Adds a reward to every node and edge of a path. */
export function backUp<State, Action>({ nodes, edges }: Path<State, Action>, reward: number): void {
  for (const node of nodes) {
    node.visits++;
    node.total += reward;
  }
  for (const edge of edges) {
    edge.visits++;
    edge.total += reward;
    if (reward > edge.best) edge.best = reward;
  }
}

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
