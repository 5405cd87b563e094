import type { Outcome, Proposal, Search, SearchProgress } from "@coppice/engine";
import { type Random, random } from "@coppice/engine/evaluator";

/** What annealing needs to know of a domain. */
export interface Neighbourhood<State> {
  readonly start: State;
  key(state: State): string;
  /** A state close to this one, drawn with the given numbers. */
  neighbour(state: State, draw: Random): State;
}

export interface AnnealingOptions {
  readonly seed: number;
  readonly goal: "maximise" | "minimise";
  readonly evaluations: number;
  /** In the unit of the values: a step this much worse is taken with probability 1/e. Falls geometrically from first to last. */
  readonly temperature: { readonly first: number; readonly last: number };
}

/** The best state seen. */
export interface Annealed<State> {
  readonly state: State;
  readonly value: number;
}

/**
 * Simulated annealing, one evaluation at a time: a neighbour that is better is taken, a worse one with probability
 * exp(-difference / temperature). A failed evaluation is not taken.
 */
export class Annealing<State> implements Search<State, number, Annealed<State> | undefined> {
  readonly #domain: Neighbourhood<State>;
  readonly #options: AnnealingOptions;
  readonly #random: Random;
  #current: Annealed<State> | undefined;
  #best: Annealed<State> | undefined;
  #trial: State | undefined;
  #asked = 0;

  constructor(domain: Neighbourhood<State>, options: AnnealingOptions) {
    const { first, last } = options.temperature;
    if (!(first > 0 && last > 0)) throw new RangeError(`temperatures must be above 0, not ${first} and ${last}`);
    if (!(options.evaluations >= 1)) throw new RangeError(`evaluations must be at least 1, not ${options.evaluations}`);
    this.#domain = domain;
    this.#options = options;
    this.#random = random(options.seed).at("annealing");
  }

  ask(): Proposal<State> {
    if (this.#trial !== undefined) return { kind: "wait" };
    if (this.#asked === this.#options.evaluations) return { kind: "done" };
    const { start } = this.#domain;
    const from = this.#current?.state ?? start;
    this.#trial = this.#asked === 0 ? start : this.#domain.neighbour(from, this.#random.at("move").at(this.#asked));
    this.#asked++;
    return { kind: "candidate", candidate: this.#trial, key: this.#domain.key(this.#trial) };
  }

  tell(outcome: Outcome<number>): void {
    const state = this.#trial;
    if (state === undefined) throw new Error("told more than was asked");
    this.#trial = undefined;
    if (!outcome.ok || Number.isNaN(outcome.value)) return;
    const trial = { state, value: outcome.value };
    if (this.#current === undefined || this.#accepts(this.#worseBy(trial, this.#current))) this.#current = trial;
    if (this.#best === undefined || this.#worseBy(trial, this.#best) < 0) this.#best = trial;
  }

  result(): Annealed<State> | undefined {
    return this.#best;
  }

  progress(): SearchProgress {
    return {
      levels: [{ name: "Evaluations", done: this.#asked, total: this.#options.evaluations }],
      ...(this.#best === undefined ? {} : { best: this.#best.value }),
    };
  }

  #worseBy(a: Annealed<State>, b: Annealed<State>): number {
    return this.#options.goal === "minimise" ? a.value - b.value : b.value - a.value;
  }

  #accepts(worse: number): boolean {
    if (worse <= 0) return true;
    const { first, last } = this.#options.temperature;
    const temperature = first * (last / first) ** (this.#asked / this.#options.evaluations);
    return this.#random.at("accept").at(this.#asked).uniform() < Math.exp(-worse / temperature);
  }
}
