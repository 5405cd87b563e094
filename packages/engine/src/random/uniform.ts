import type { RandomGenerator } from "pure-rand/types/RandomGenerator";

/** A number in [0, 1), one of 2⁵³ equally spaced ones. */
export function uniform(bits: RandomGenerator): number {
  // The lowest bits of xoroshiro128+ are its weakest; both shifts drop them.
  const high = bits.next() >>> 5;
  const low = bits.next() >>> 6;
  return (high * 2 ** 26 + low) / 2 ** 53;
}

/** A whole number in [min, max], both included, each exactly as likely as the others. */
export function integer(bits: RandomGenerator, min: number, max: number): number {
  if (!Number.isSafeInteger(min) || !Number.isSafeInteger(max) || !Number.isSafeInteger(max - min) || max < min) {
    throw new RangeError(`integer(min, max) needs whole numbers with min <= max, not (${min}, ${max})`);
  }
  return min + below(bits, max - min + 1);
}

/** A whole number in [0, count), count at most 2⁵³. Draws just enough bits and draws again when they exceed the range. */
function below(bits: RandomGenerator, count: number): number {
  if (count <= 1) return 0;
  if (count <= 2 ** 32) {
    const unused = Math.clz32(count - 1);
    for (;;) {
      const drawn = bits.next() >>> unused;
      if (drawn < count) return drawn;
    }
  }
  const unused = Math.clz32(Math.floor((count - 1) / 2 ** 32));
  for (;;) {
    const drawn = (bits.next() >>> unused) * 2 ** 32 + (bits.next() >>> 0);
    if (drawn < count) return drawn;
  }
}

/** One of the items, each equally likely. */
export function choice<Item>(bits: RandomGenerator, items: readonly Item[]): Item {
  if (items.length === 0) throw new RangeError("choice needs at least one item");
  return items[below(bits, items.length)];
}

/** The items in a random order, as a new array (Fisher–Yates). */
export function shuffle<Item>(bits: RandomGenerator, items: readonly Item[]): Item[] {
  const shuffled = [...items];
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = below(bits, last + 1);
    const moved = shuffled[last];
    shuffled[last] = shuffled[other];
    shuffled[other] = moved;
  }
  return shuffled;
}

/** An index, each as likely as its weight says. Weights need not sum to 1. */
export function weightedIndex(bits: RandomGenerator, weights: ArrayLike<number>): number {
  let total = 0;
  let lastPossible = -1;
  for (let i = 0; i < weights.length; i++) {
    const weight = weights[i];
    if (!(weight >= 0 && weight < Number.POSITIVE_INFINITY)) {
      throw new RangeError(`weights are finite numbers of at least 0; weight ${i} is ${weight}`);
    }
    if (weight > 0) lastPossible = i;
    total += weight;
  }
  if (lastPossible === -1) throw new RangeError("weights need at least one above 0");
  if (total === Number.POSITIVE_INFINITY) throw new RangeError("the sum of the weights is too large for a number");
  let remaining = uniform(bits) * total;
  for (let i = 0; i < lastPossible; i++) {
    remaining -= weights[i];
    if (remaining < 0) return i;
  }
  // Rounding can leave a crumb after the last subtraction; it belongs to the last item that can be chosen.
  return lastPossible;
}
