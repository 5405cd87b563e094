import { Mcts } from "@coppice/search";
import type { EpisodeProblem } from "./episode-problem.ts";
import type { EpisodeAction, EpisodeState } from "./episode-state.ts";

export interface EpisodeTreeOptions {
  readonly seed: number;
  /** Ends of episodes that may be out for evaluation at once. */
  readonly window: number;
  /** Ends of episodes that may be evaluated, those that are out included. */
  readonly evaluations: number;
}

export type EpisodeTree = Mcts<EpisodeState, EpisodeAction>;

/** The tree that episodes are searched with, whoever evaluates their ends: playouts to the end, mean values, least wins. */
export function episodeTree(problem: EpisodeProblem, { seed, window, evaluations }: EpisodeTreeOptions): EpisodeTree {
  return new Mcts(problem, {
    seed,
    goal: "minimise",
    window,
    exploration: 1,
    playout: "prior",
    widening: { base: 4, factor: 1, exponent: 0.7 },
    noise: { share: 0.25, concentration: 0.3 },
    budget: { evaluations },
  });
}
