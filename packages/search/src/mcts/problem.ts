/** `share` of Dirichlet noise mixed into priors; the smaller the concentration, the fewer actions it favours. */
export interface PriorNoise {
  readonly share: number;
  readonly concentration: number;
}

/**
 * A tree of decisions as tree search sees it. Everything is pure: the same state has the same actions, steps and
 * priors. States are values that can be encoded; they are what evaluators are given.
 */
export interface Problem<State, Action> {
  readonly root: State;
  /** Who moves in it; games of more than one are refused. */
  readonly players?: number;
  /** What can be done in a state that is not terminal; none makes it a dead end, which is evaluated like a leaf. */
  actions(state: State): readonly Action[];
  step(state: State, action: Action): State;
  isTerminal(state: State): boolean;
  /** States with equal keys are one node of the tree and are evaluated once. */
  key(state: State): string;
  /** A logit per action; equal ones when absent. */
  prior?(state: State, actions: readonly Action[]): ArrayLike<number>;
  /** How promising a state looks, in the unit of normalised values; only asked where shaping is on. */
  potential?(state: State): number;
  /** Noise for the priors of a state, besides that of the search's root; none when absent. */
  noise?(state: State): PriorNoise | undefined;
}
