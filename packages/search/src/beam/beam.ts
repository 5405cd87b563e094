import type { Outcome, Proposal, Search, SearchProgress } from "@coppice/engine";
import type { Problem } from "../mcts/problem.ts";

export interface BeamOptions {
  readonly goal: "maximise" | "minimise";
  /** States that are kept from one depth to the next. */
  readonly width: number;
  readonly maxDepth: number;
}

/** An evaluated state and the actions that lead to it. */
export interface BeamState<State, Action> {
  readonly state: State;
  readonly actions: readonly Action[];
  readonly value: number;
}

interface Candidate<State, Action> extends Omit<BeamState<State, Action>, "value"> {
  readonly key: string;
}

/**
 * Evaluates every child of the kept states, depth by depth, and keeps the best `width` of each depth. Ties keep the
 * earlier child. The result is the best state of any depth.
 */
export class Beam<State, Action> implements Search<State, number, BeamState<State, Action> | undefined> {
  readonly #problem: Problem<State, Action>;
  readonly #options: BeamOptions;
  readonly #seen = new Set<string>();
  #depth = 0;
  #level: readonly Candidate<State, Action>[];
  #asked = 0;
  #told = 0;
  #survivors: BeamState<State, Action>[] = [];
  #best: BeamState<State, Action> | undefined;

  constructor(problem: Problem<State, Action>, options: BeamOptions) {
    if (!(options.width >= 1)) throw new RangeError(`width must be at least 1, not ${options.width}`);
    if (!(options.maxDepth >= 0)) throw new RangeError(`maxDepth must be at least 0, not ${options.maxDepth}`);
    this.#problem = problem;
    this.#options = options;
    this.#level = this.#unseen([{ state: problem.root, actions: [] }]);
  }

  ask(): Proposal<State> {
    const next = this.#level[this.#asked];
    if (next !== undefined) {
      this.#asked++;
      return { kind: "candidate", candidate: next.state, key: next.key };
    }
    return this.#level.length === 0 ? { kind: "done" } : { kind: "wait" };
  }

  tell(outcome: Outcome<number>): void {
    const { state, actions } = this.#level[this.#told++];
    if (outcome.ok && !Number.isNaN(outcome.value)) this.#survivors.push({ state, actions, value: outcome.value });
    if (this.#told === this.#level.length) this.#descend();
  }

  result(): BeamState<State, Action> | undefined {
    return this.#best;
  }

  progress(): SearchProgress {
    return {
      levels: [
        { name: "Depth", done: this.#depth, total: this.#options.maxDepth },
        { name: "States", done: this.#told, total: this.#level.length },
      ],
      ...(this.#best === undefined ? {} : { best: this.#best.value }),
    };
  }

  #descend(): void {
    const sign = this.#options.goal === "maximise" ? -1 : 1;
    const kept = this.#survivors.sort((a, b) => sign * (a.value - b.value)).slice(0, this.#options.width);
    const [first] = kept;
    if (first !== undefined && (this.#best === undefined || sign * (first.value - this.#best.value) < 0)) {
      this.#best = first;
    }
    this.#asked = 0;
    this.#told = 0;
    this.#survivors = [];
    this.#depth++;
    this.#level =
      this.#depth > this.#options.maxDepth ? [] : this.#unseen(kept.flatMap((state) => this.#children(state)));
  }

  #children({ state, actions }: BeamState<State, Action>): { state: State; actions: readonly Action[] }[] {
    if (this.#problem.isTerminal(state)) return [];
    return this.#problem
      .actions(state)
      .map((action) => ({ state: this.#problem.step(state, action), actions: [...actions, action] }));
  }

  #unseen(states: readonly { state: State; actions: readonly Action[] }[]): Candidate<State, Action>[] {
    return states.flatMap((candidate) => {
      const key = this.#problem.key(candidate.state);
      if (this.#seen.has(key)) return [];
      this.#seen.add(key);
      return [{ ...candidate, key }];
    });
  }
}
