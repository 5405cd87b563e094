import type { Random } from "@coppice/engine/evaluator";
import type { Point, SearchSpace } from "../space/search-space.ts";

/** One point that was tried, or is being tried. */
export interface Trial {
  readonly point: Point;
  /** Where in the unit cube the point lies. */
  readonly place: Float64Array;
  /** The place as the sampler chose it, before it was moved to a value of the space; absent when nobody chose it. */
  readonly chosen?: Float64Array;
  /** Objectives, smaller is better; undefined while it is out, null when it failed or one of them is not finite. */
  readonly values: readonly number[] | null | undefined;
}

/**
 * Chooses where to look next. A function of the space, the trials so far in ask order (those that are out among them)
 * and a random stream of its own: the same knowledge, the same choice.
 */
export interface Sampler {
  /** A place in the unit cube; undefined when something that is out has to be known first. */
  next(trials: readonly Trial[], draws: Random): Float64Array | undefined;
}

/** What a sampler is made for. */
export interface SamplerSetting {
  readonly space: SearchSpace;
  readonly seed: number;
  /** Where good points are expected; a method that begins somewhere begins here, and closer. */
  readonly start?: Float64Array;
  /** How many trials there will be, where that is settled. */
  readonly trials?: number;
}

/** A trial that has a value. */
export type Told = Trial & { readonly values: readonly number[] };

export function isTold(trial: Trial): trial is Told {
  return trial.values !== undefined && trial.values !== null;
}
