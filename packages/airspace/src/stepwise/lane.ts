import type { Outcome, Proposal } from "@coppice/engine";
import { Mcts, type MctsResult } from "@coppice/search";
import type { EpisodeProblem } from "../episode/episode-problem.ts";
import type { EpisodeAction, EpisodeState } from "../episode/episode-state.ts";

/** How one of the trees of a round is grown. */
export interface LaneOptions {
  /** Which of the independent trees it belongs to. */
  readonly root: number;
  readonly seed: number;
  /** Commits that may be out at once: 1 waits for each, more go on without it. */
  readonly window: number;
  /** Commits that may be evaluated, those that are out included. */
  readonly commits: number;
}

/** One tree over regulations; its leaves are commits that are evaluated elsewhere. */
export class Lane {
  readonly root: number;
  readonly seed: number;
  readonly #tree: Mcts<EpisodeState, EpisodeAction>;

  constructor(problem: EpisodeProblem, { root, seed, window, commits }: LaneOptions) {
    this.root = root;
    this.seed = seed;
    this.#tree = new Mcts(problem, {
      seed,
      goal: "minimise",
      window,
      exploration: 1,
      playout: "prior",
      widening: { base: 4, factor: 1, exponent: 0.7 },
      noise: { share: 0.25, concentration: 0.3 },
      budget: { evaluations: commits },
    });
  }

  ask(): Proposal<EpisodeState> {
    return this.#tree.ask();
  }

  /** `ask` counts this lane's own asks. */
  tell(outcome: Outcome<number>, ask: number): void {
    this.#tree.tell(outcome, ask);
  }

  result(): MctsResult<EpisodeState, EpisodeAction> {
    return this.#tree.result();
  }
}
