import type { PriorNoise } from "./problem.ts";

/** How a tree is searched. Everything here shapes the answer and nothing here depends on the machine. */
export interface MctsOptions {
  readonly seed: number;
  /** Whether large or small values are wanted. */
  readonly goal: "maximise" | "minimise";
  /** Leaves that may be out for evaluation at once. */
  readonly window: number;
  /** Weight of the prior and of visits against the value. */
  readonly exploration: number;
  /** Logits are divided by this before they become priors: large values make priors equal. */
  readonly temperature: number;
  /** `minmax` maps values between the worst and the best seen to 0..1; `none` takes them as they are. */
  readonly normalise: "minmax" | "none";
  /** What an edge is worth: the mean of what was found below it, or the best. */
  readonly backup: "mean" | "best";
  /** Value of an edge never taken: its node's own mean, or a number in the unit of normalised values. */
  readonly firstPlay: "parent" | number;
  /** A node with N visits opens `base + factor × N^exponent` actions, likely ones first; all when absent. */
  readonly widening?: { readonly base: number; readonly factor: number; readonly exponent: number };
  /** Noise in the priors of the root; the problem may ask for some elsewhere. */
  readonly noise?: PriorNoise;
  /** What is done at an end whose value is known: `again` counts it once more, `once` never goes there again. */
  readonly knownEnds: "again" | "once";
  /**
   * Weight of the problem's potential φ. Over whole episodes what shaping adds, φ(next) − φ(state) per step, cancels out,
   * so all that it can do is to say where to begin: an action's value starts with it, and with every visit it counts less.
   * Values themselves are never shaped.
   */
  readonly shaping: number;
  /** `none` evaluates new nodes themselves; `prior` goes on by the priors to a terminal state and evaluates that. */
  readonly playout: "none" | "prior";
  readonly budget: MctsBudget;
}

/** Where a search ends; at least one must be given. Evaluations count finished and pending ones. */
export interface MctsBudget {
  readonly simulations?: number;
  readonly evaluations?: number;
  /** Steps from state to state. */
  readonly actions?: number;
  /** Simulations in a row that needed no evaluation; 1,000 unless simulations are limited. */
  readonly idle?: number;
}

/** A tree that is walked this often without anything new to ask is hardly worth walking on. */
export const USUAL_IDLE = 1000;

/** What a tree search does unless told otherwise. */
export const defaultMctsOptions = {
  seed: 0,
  goal: "maximise",
  window: 8,
  exploration: 1,
  temperature: 1,
  normalise: "minmax",
  backup: "mean",
  firstPlay: "parent",
  knownEnds: "again",
  shaping: 0,
  playout: "none",
} as const satisfies Omit<MctsOptions, "budget">;

/** Says what is wrong with the options, by throwing. */
export function checkMctsOptions(options: MctsOptions): void {
  const { budget, widening, noise } = options;
  atLeast("window", options.window, 1);
  atLeast("exploration", options.exploration, 0);
  atLeast("shaping", options.shaping, 0);
  if (!(options.temperature > 0)) throw new RangeError(`temperature must be above 0, not ${options.temperature}`);
  if (widening !== undefined) {
    atLeast("widening.base", widening.base, 0);
    atLeast("widening.factor", widening.factor, 0);
    atLeast("widening.exponent", widening.exponent, 0);
  }
  if (noise !== undefined) {
    if (!(noise.share >= 0 && noise.share <= 1)) throw new RangeError(`noise.share must be 0 to 1, not ${noise.share}`);
    if (!(noise.concentration > 0)) throw new RangeError(`noise.concentration must be above 0`);
  }
  const limits = Object.entries(budget).filter(([, limit]) => limit !== undefined);
  if (limits.every(([name]) => name === "idle"))
    throw new RangeError("a budget needs simulations, evaluations or actions");
  for (const [name, limit] of limits) atLeast(`budget.${name}`, limit, 1);
}

function atLeast(name: string, value: number, least: number): void {
  if (!(value >= least)) throw new RangeError(`${name} must be at least ${least}, not ${value}`);
}
