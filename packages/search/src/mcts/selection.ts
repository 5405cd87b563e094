import type { Random } from "@coppice/engine";
import type { MctsOptions } from "./mcts-options.ts";
import type { Edge, Node } from "./tree.ts";

/** The worst and the best reward seen so far. */
export interface RewardRange {
  least: number;
  most: number;
}

/** A reward in the unit that exploration is weighed against. */
function normalised(reward: number, range: RewardRange, how: MctsOptions["normalise"]): number {
  if (how === "none") return reward;
  return range.most > range.least ? (reward - range.least) / (range.most - range.least) : 0.5;
}

/**
 * The edge with the highest `Q + (c · P · √max(1, N) + lift) / (1 + n)`; the earlier one of equals. N and n count pending
 * visits, so that a window of leaves spreads; Q knows only values that arrived.
 */
export function selectEdge<State, Action>(
  node: Node<State, Action>,
  usable: (edge: Edge<State, Action>) => boolean,
  range: RewardRange,
  options: MctsOptions,
): Edge<State, Action> | undefined {
  const { exploration, normalise, backup, firstPlay } = options;
  const root = Math.sqrt(Math.max(1, node.visits + node.pending));
  let chosen: Edge<State, Action> | undefined;
  let highest = Number.NEGATIVE_INFINITY;
  for (const edge of node.edges) {
    if (!usable(edge)) continue;
    const score = worth(edge) + (exploration * edge.prior * root + edge.lift) / (1 + edge.visits + edge.pending);
    if (chosen === undefined || score > highest) {
      chosen = edge;
      highest = score;
    }
  }
  return chosen;

  function worth(edge: Edge<State, Action>): number {
    if (edge.visits > 0) return normalised(backup === "best" ? edge.best : edge.total / edge.visits, range, normalise);
    if (firstPlay !== "parent") return firstPlay;
    return node.visits > 0 ? normalised(node.total / node.visits, range, normalise) : 0;
  }
}

/** Softmax of logits / temperature. */
export function priorsOf(logits: ArrayLike<number>, temperature: number): Float64Array {
  const priors = Float64Array.from(logits, (logit) => logit / temperature);
  let highest = Number.NEGATIVE_INFINITY;
  for (const logit of priors) if (logit > highest) highest = logit;
  let sum = 0;
  for (let a = 0; a < priors.length; a++) {
    priors[a] = Math.exp(priors[a] - highest);
    sum += priors[a];
  }
  for (let a = 0; a < priors.length; a++) priors[a] /= sum;
  return priors;
}

/** (1 - share) × prior + share × Dirichlet(concentration). */
export function withNoise(priors: Float64Array, share: number, concentration: number, random: Random): Float64Array {
  const noise = random.dirichlet(new Float64Array(priors.length).fill(concentration));
  return priors.map((prior, a) => (1 - share) * prior + share * noise[a]);
}
