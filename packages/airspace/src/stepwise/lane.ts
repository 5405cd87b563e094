import type { Outcome, Proposal } from "@coppice/engine";
import type { EpisodeProblem } from "../episode/episode-problem.ts";
import type { EpisodeState } from "../episode/episode-state.ts";
import { type EpisodeTree, episodeTree } from "../episode/episode-tree.ts";

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

/** One tree over regulations, with its asks numbered; its leaves are commits that are evaluated elsewhere. */
export class Lane {
  readonly root: number;
  readonly #tree: EpisodeTree;
  #asked = 0;

  constructor(problem: EpisodeProblem, { root, seed, window, commits }: LaneOptions) {
    this.root = root;
    this.#tree = episodeTree(problem, { seed, window, evaluations: commits });
  }

  /** What it wants evaluated, and the number of this ask among its own. */
  ask(): { readonly proposal: Proposal<EpisodeState>; readonly ask: number } {
    const proposal = this.#tree.ask();
    return { proposal, ask: proposal.kind === "candidate" ? this.#asked++ : this.#asked };
  }

  tell(outcome: Outcome<number>, ask: number): void {
    this.#tree.tell(outcome, ask);
  }

  result(): ReturnType<EpisodeTree["result"]> {
    return this.#tree.result();
  }
}
