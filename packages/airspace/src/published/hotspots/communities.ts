import { createRequire } from "node:module";
import { random } from "@coppice/engine/evaluator";
import { UndirectedGraph } from "graphology";

/** How communities are looked for. */
export interface CommunityOptions {
  /** Louvain visits flights in random order; the seed fixes it. Default 0. */
  readonly seed?: number;
  /** Above 1: more, smaller communities; below 1: fewer, larger ones. Default 1. */
  readonly resolution?: number;
}

// The package's types say that it has a default export; what it has is a function as the whole module.
const louvain: typeof import("graphology-communities-louvain").default = createRequire(import.meta.url)(
  "graphology-communities-louvain",
);

/**
 * Groups `count` items into communities of the graph whose edges are `edges(a)`: pairs of a later item and how similar it
 * is (Louvain, which maximises modularity). Returns a label per item; items without an edge are alone.
 */
export function communities(
  count: number,
  edges: (item: number) => Iterable<readonly [other: number, similarity: number]>,
  { seed = 0, resolution = 1 }: CommunityOptions,
): number[] {
  const graph = new UndirectedGraph<object, { weight: number }>();
  for (let item = 0; item < count; item++) graph.addNode(item);
  for (let item = 0; item < count; item++) {
    for (const [other, weight] of edges(item)) graph.addEdge(item, other, { weight });
  }
  // Without an edge there is no modularity to speak of.
  if (graph.size === 0) return Array.from({ length: count }, (_, item) => item);
  const order = random(seed).at("communities");
  const found = louvain(graph, { resolution, rng: () => order.uniform(), getEdgeWeight: "weight" });
  return Array.from({ length: count }, (_, item) => found[item]);
}
