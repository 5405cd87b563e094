/** An evaluated state and how it was reached. */
export interface Found<State, Action> {
  readonly state: State;
  readonly actions: readonly Action[];
  readonly value: number;
}

/** An opened action as reports show it. */
export interface EdgeStatistics<Action> {
  readonly from: string;
  readonly action: Action;
  readonly prior: number;
  readonly visits: number;
  readonly pending: number;
  /** Sum of the values found below. */
  readonly total: number;
}

/** What a tree search found, and how much it looked at. */
export interface MctsResult<State, Action> {
  /** The best state evaluated; undefined if every evaluation failed. */
  readonly best: Found<State, Action> | undefined;
  readonly mostVisited: readonly Action[];
  readonly bestValued: readonly Action[];
  readonly simulations: number;
  readonly evaluations: number;
  readonly nodes: number;
  /** The limit that ended it; `idle` after many simulations without anything new to ask, `exhausted` when nothing is left. */
  readonly stopped: "simulations" | "evaluations" | "actions" | "idle" | "exhausted" | undefined;
}
