import type { Plan } from "../network/regulation.ts";

/** Slots of the largest table; at most half of them are used. */
const MOST_SLOTS = 2 ** 17;

/**
 * What plans cost that were scored before, by 64 bits of hash instead of by text: a search looks up every neighbour it
 * draws, and texts of whole plans would be most of what it allocates. Two plans of one hash would be taken for the
 * same, every time alike; with fifty thousand plans that is a chance of one in ten thousand million. No allocation.
 */
export class KnownPlans {
  readonly #most: number;
  readonly #high: Int32Array;
  readonly #low: Int32Array;
  readonly #objective: Float64Array;
  /** A slot's number has these bits. */
  readonly #mask: number;
  #size = 0;
  #highOfPlan = 0;
  #lowOfPlan = 0;
  #slot = 0;

  /** Forgets all plans whenever there are `most`. */
  constructor(most: number) {
    if (!(most >= 1 && 2 * most <= MOST_SLOTS))
      throw new RangeError(`from 1 to ${MOST_SLOTS / 2} plans can be known, not ${most}`);
    const slots = 2 ** Math.ceil(Math.log2(2 * most));
    this.#most = most;
    this.#mask = slots - 1;
    this.#high = new Int32Array(slots);
    this.#low = new Int32Array(slots);
    this.#objective = new Float64Array(slots).fill(Number.NaN);
  }

  /** What a plan costs, or costs at least; NaN if it is not known. */
  find(plan: Plan): number {
    this.#hash(plan);
    return this.#objective[this.#seek()];
  }

  /** Remembers that the plan which was last looked for, and found, costs at least this. */
  raise(objective: number): void {
    this.#objective[this.#slot] = objective;
  }

  /** Remembers what the plan costs, or costs at least, that was last looked for. */
  add(objective: number): void {
    if (this.#size === this.#most) {
      this.#objective.fill(Number.NaN);
      this.#size = 0;
      this.#seek();
    }
    if (Number.isNaN(this.#objective[this.#slot])) this.#size++;
    this.#high[this.#slot] = this.#highOfPlan;
    this.#low[this.#slot] = this.#lowOfPlan;
    this.#objective[this.#slot] = objective;
  }

  /** The slot of the hash, or the empty one where it belongs. */
  #seek(): number {
    let slot = this.#lowOfPlan & this.#mask;
    while (
      !Number.isNaN(this.#objective[slot]) &&
      (this.#high[slot] !== this.#highOfPlan || this.#low[slot] !== this.#lowOfPlan)
    ) {
      slot = (slot + 1) & this.#mask;
    }
    this.#slot = slot;
    return slot;
  }

  #hash(plan: Plan): void {
    let high = 0x243f6a88;
    let low = 0x13198a2e;
    for (const { volume, fromBin, toBin, flows, ratePerHour } of plan) {
      const perHour = Math.floor(ratePerHour);
      const window = (fromBin << 16) | toBin;
      const rest = (ratePerHour - perHour) * 2 ** 31;
      // Words of a line are multiplied beside each other, lines are mixed one after the other.
      high = mix(high ^ sumOf(volume, window, flows, perHour, rest, 0x85ebca6b), 0x27d4eb2f);
      low = mix(low + sumOf(rest, perHour, volume, flows, window, 0xc2b2ae35), 0x165667b1);
    }
    this.#highOfPlan = high;
    this.#lowOfPlan = low;
  }
}

/** A sum of five words, each times a number of its own. */
function sumOf(a: number, b: number, c: number, d: number, e: number, factor: number): number {
  return (
    (Math.imul(a, factor) +
      Math.imul(b, 0x9e3779b1) +
      Math.imul(c, 0x7feb352d) +
      Math.imul(d, 0x846ca68b) +
      Math.imul(e, 0x58f3b2a5)) |
    0
  );
}

/** One round of a multiplicative hash: every bit of the word reaches every other after two of them. */
function mix(word: number, factor: number): number {
  const product = Math.imul(word ^ (word >>> 16), factor);
  return Math.imul(product ^ (product >>> 13), 0x9e3779b1);
}
