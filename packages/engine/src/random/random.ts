import { xoroshiro128plusFromState } from "pure-rand/generator/xoroshiro128plus";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";
import { dirichlet, standardGamma, standardNormal } from "./distributions.ts";
import { childIdentity, type Identity, rootIdentity } from "./identity.ts";
import { choice, integer, shuffle, uniform, weightedIndex } from "./uniform.ts";

/** A stream as plain data: where it is in the tree, and how far it has been drawn. */
export interface RandomState {
  readonly identity: readonly number[];
  readonly drawn: readonly number[];
}

/**
 * A place in a tree of random streams: `random(seed).at("root/3").at("expand")`.
 *
 * Going down by name never depends on how many numbers were drawn, and drawing never disturbs another place.
 */
export class Random {
  readonly #identity: Identity;
  #bits: RandomGenerator | undefined;

  private constructor(identity: Identity, bits?: RandomGenerator) {
    this.#identity = identity;
    this.#bits = bits;
  }

  /** The stream of a seed: any safe integer. */
  static fromSeed(seed: number): Random {
    return new Random(rootIdentity(seed));
  }

  /** Continues a stream exactly where {@link state} was taken. */
  static fromState(state: RandomState): Random {
    const [a, b, c, d] = words(state.identity, "identity");
    return new Random([a, b, c, d], xoroshiro128plusFromState(words(state.drawn, "drawn")));
  }

  /** The stream called `name` below this one, always from its beginning. `at(3)` is `at("3")`. */
  at(name: string | number): Random {
    if (typeof name === "number" && !Number.isSafeInteger(name)) {
      throw new RangeError(`a stream is named by a string or a whole number, not ${name}`);
    }
    return new Random(childIdentity(this.#identity, String(name)));
  }

  /** A number in [0, 1), with 53 random bits. */
  uniform(): number {
    return uniform(this.#stream());
  }

  /** A whole number in [min, max], both included, without bias. */
  integer(min: number, max: number): number {
    return integer(this.#stream(), min, max);
  }

  /** One of the items, each equally likely. */
  choice<Item>(items: readonly Item[]): Item {
    return choice(this.#stream(), items);
  }

  /** One of the items, each as likely as its weight says. */
  weightedChoice<Item>(items: readonly Item[], weights: ArrayLike<number>): Item {
    if (items.length !== weights.length) {
      throw new RangeError(`weightedChoice needs one weight per item, not ${weights.length} for ${items.length}`);
    }
    return items[this.weightedIndex(weights)];
  }

  /** An index, each as likely as its weight says. Weights need not sum to 1. */
  weightedIndex(weights: ArrayLike<number>): number {
    return weightedIndex(this.#stream(), weights);
  }

  /** The items in a random order, as a new array. */
  shuffle<Item>(items: readonly Item[]): Item[] {
    return shuffle(this.#stream(), items);
  }

  /** A normal number. */
  normal(mean = 0, standardDeviation = 1): number {
    if (!Number.isFinite(mean) || !(standardDeviation >= 0 && standardDeviation < Number.POSITIVE_INFINITY)) {
      throw new RangeError(
        `normal needs a finite mean and a deviation of at least 0, not ${mean}, ${standardDeviation}`,
      );
    }
    return mean + standardDeviation * standardNormal(this.#stream());
  }

  /** A gamma number; its mean is shape × scale. */
  gamma(shape: number, scale = 1): number {
    positive(shape, "the shape of a gamma distribution");
    positive(scale, "the scale of a gamma distribution");
    return scale * standardGamma(this.#stream(), shape);
  }

  /** Shares that sum to 1, spread by one concentration each: small ones favour few large shares. */
  dirichlet(concentrations: ArrayLike<number>): Float64Array {
    for (let i = 0; i < concentrations.length; i++) positive(concentrations[i], `concentration ${i}`);
    return dirichlet(this.#stream(), concentrations);
  }

  /** A second stream that goes on exactly like this one. */
  clone(): Random {
    return new Random(this.#identity, this.#bits?.clone());
  }

  /** This stream as plain data, for {@link Random.fromState}. */
  state(): RandomState {
    return { identity: [...this.#identity], drawn: [...this.#stream().getState()] };
  }

  /** Most places in the tree only lead further down, so a generator is made at the first draw. */
  #stream(): RandomGenerator {
    this.#bits ??= xoroshiro128plusFromState(this.#identity);
    return this.#bits;
  }
}

/** The random stream of a seed; see {@link Random}. */
export function random(seed: number): Random {
  return Random.fromSeed(seed);
}

function words(state: readonly number[], field: string): Identity {
  if (!Array.isArray(state) || state.length !== 4 || state.some((word) => (word | 0) !== word)) {
    throw new TypeError(`the ${field} of a random state is four 32-bit whole numbers, not ${JSON.stringify(state)}`);
  }
  if (state.every((word) => word === 0)) throw new TypeError(`the ${field} of a random state cannot be all zeros`);
  const [a, b, c, d] = state as [number, number, number, number];
  return [a, b, c, d];
}

function positive(value: number, what: string): void {
  if (!(value > 0 && value < Number.POSITIVE_INFINITY)) {
    throw new RangeError(`${what} is a finite number above 0, not ${value}`);
  }
}
